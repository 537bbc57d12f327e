package dev.trestle.catalogue;

import dev.trestle.engine.Engine;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.model.EdmValue;
import dev.trestle.model.Limits;
import dev.trestle.plan.Planner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Looks through the rows of catalogues; nothing of it is remembered. */
final class Listing {
    private final Engine engine;
    private final CatalogueKeys keys;

    Listing(Engine engine, CatalogueKeys keys) {
        this.engine = engine;
        this.keys = keys;
    }

    /** As {@link Catalogue#list(String, Filter, String, int, String)} says. */
    CompletionStage<Catalogue.CollectionPage> list(
            String account, Filter filter, String nameProperty, int rowsMax, String from) {
        Filter onRows = filter.accept(new NameConditions(nameProperty));
        Filter wanted = Filter.and(List.of(
                Filter.compare(Filter.PARTITION_KEY, Operator.EQ, new EdmValue.Text(keys.partition(account))),
                Filter.compare(Filter.ROW_KEY, Operator.GE, new EdmValue.Text(CatalogueKeys.COLLECTION_PREFIX + from)),
                Filter.compare(Filter.ROW_KEY, Operator.LT, new EdmValue.Text(CatalogueKeys.COLLECTION_PREFIX_END)),
                onRows));
        var plan = Planner.plan(wanted);
        return scan(engine, plan.ranges(CatalogueKeys.SYSTEM_COLLECTION), plan.residual(), rowsMax)
                .thenApply(Listing::page);
    }

    /** As {@link Catalogue#list(String, String, int, String)} says. */
    CompletionStage<Catalogue.CollectionPage> list(String account, String prefix, int rowsMax, String from) {
        String first = from.compareTo(prefix) < 0 ? prefix : from;
        KeyRange range = new KeyRange(
                keys.row(account, CatalogueKeys.COLLECTION_PREFIX + first).bytes(),
                // No name has this character, hence none that begins with the prefix is greater.
                keys.row(account, CatalogueKeys.COLLECTION_PREFIX + prefix + Character.MAX_VALUE)
                        .bytes());
        return range.isEmpty()
                ? CompletableFuture.completedFuture(new Catalogue.CollectionPage(List.of(), Optional.empty()))
                : scan(engine, List.of(range), Filter.ALL, rowsMax).thenApply(Listing::page);
    }

    private static Catalogue.CollectionPage page(RowPage page) {
        return new Catalogue.CollectionPage(
                decode(page),
                page.resume().map(key -> key.rowKey().substring(CatalogueKeys.COLLECTION_PREFIX.length())));
    }

    /** Decodes the rows of a page, and closes it. */
    static List<CatalogueEntry> decode(RowPage page) {
        List<CatalogueEntry> found = new ArrayList<>(page.size());
        try (page) {
            for (int i = 0; i < page.size(); i++) {
                found.add(CatalogueRowCodec.decodeCollection(page.row(i)));
            }
        }
        return found;
    }

    /** One page of the collections that were deleted and are still to be reclaimed. */
    CompletionStage<RowPage> dropped(String account) {
        return scan(engine, List.of(keys.allDropped(account)), Filter.ALL, Limits.PAGE_ROWS_MAX);
    }

    CompletionStage<List<String>> accounts() {
        return accounts(Key.collectionRange(CatalogueKeys.SYSTEM_COLLECTION), new ArrayList<>());
    }

    private CompletionStage<List<String>> accounts(KeyRange rest, List<String> found) {
        return scan(engine, List.of(rest), Filter.ALL, 1).thenCompose(page -> {
            String partition;
            try (page) {
                if (page.size() == 0) {
                    return CompletableFuture.completedFuture(found);
                }
                partition = page.key(0).partitionKey();
            }
            String suffix = keys.partition("");
            if (partition.endsWith(suffix)) {
                found.add(partition.substring(0, partition.length() - suffix.length()));
            }
            return accounts(rest.startingAt(Key.afterPartition(CatalogueKeys.SYSTEM_COLLECTION, partition)), found);
        });
    }

    /** As {@link Catalogue#names} says. */
    static CompletionStage<Map<Long, String>> names(Engine engine) {
        return names(engine, Key.collectionRange(CatalogueKeys.SYSTEM_COLLECTION), new TreeMap<>());
    }

    private static CompletionStage<Map<Long, String>> names(Engine engine, KeyRange rest, Map<Long, String> found) {
        return scan(engine, List.of(rest), Filter.ALL, Limits.PAGE_ROWS_MAX).thenCompose(page -> {
            try (page) {
                for (int i = 0; i < page.size(); i++) {
                    Key key = page.key(i);
                    if (key.rowKey().startsWith(CatalogueKeys.COLLECTION_PREFIX)) {
                        CatalogueEntry collection = CatalogueRowCodec.decodeCollection(page.row(i));
                        String account = key.partitionKey()
                                .substring(0, key.partitionKey().lastIndexOf('/'));
                        found.put(collection.id(), account + "/" + collection.name());
                    }
                }
            }
            return page.resume()
                    .map(next -> names(engine, rest.startingAt(next.bytes()), found))
                    .orElseGet(() -> CompletableFuture.completedFuture(found));
        });
    }

    private static CompletionStage<RowPage> scan(Engine engine, List<KeyRange> ranges, Filter filter, int rowsMax) {
        return engine.scan(new Scan(
                ranges, filter, List.of(), new Scan.Limits(rowsMax, Limits.PAGE_BYTES_MAX, Limits.PAGE_TIME_MAX)));
    }
}
