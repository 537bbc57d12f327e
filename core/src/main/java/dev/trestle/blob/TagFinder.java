package dev.trestle.blob;

import static dev.trestle.catalogue.EngineErrors.translateFailures;

import dev.trestle.async.AsyncLoop;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.CatalogueEntry;
import dev.trestle.engine.RowPage;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.model.ContainerName;
import dev.trestle.model.Limits;
import dev.trestle.model.MonotonicTicks;
import dev.trestle.model.Page;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Finds blobs by tags, container by container in the order of their names. Scans the index range of one test of
 * the query and verifies all tests on the blobs found there, so stale index rows do not show. Snapshots are not
 * found.
 */
public final class TagFinder {
    /** The age from which stale rows are removed. No request takes this long from the index row to the blob. */
    static final long STALE_TICKS = 3600 * Ticks.PER_SECOND;

    /** Index rows and blobs that are read at a time. */
    private static final int BATCH_ROWS = 64;

    /** The maximum number of index rows to read for a page. */
    private static final int PAGE_ENTRIES_MAX = 10_000;

    private static final int PAGE_CONTAINERS_MAX = 100;

    /** The maximum length of all names and tags of a page, in UTF-16 code units. */
    private static final int PAGE_UNITS_MAX = 4 << 20;

    private final Catalogue catalogue;
    private final BlobRowStore rows;
    private final TagIndex index;
    private final MonotonicTicks ticks;
    private final LongSupplier nanoTime;

    TagFinder(Catalogue catalogue, BlobRowStore rows, TagIndex index, MonotonicTicks ticks, LongSupplier nanoTime) {
        this.catalogue = catalogue;
        this.rows = rows;
        this.index = index;
        this.ticks = ticks;
        this.nanoTime = nanoTime;
    }

    /**
     * A blob that matches the query.
     *
     * @param tags the tags whose keys are in the query
     */
    public record Found(String container, String name, SortedMap<String, String> tags) {}

    /**
     * The position of a page.
     *
     * @param value of the tag in the index; empty, like the row, for the start of a container
     * @param row of the index
     */
    public record Position(String container, String value, String row) {
        public static final Position START = new Position("", "", "");
    }

    /** Finds blobs in all containers of an account, or in the one that the query names. */
    public CompletionStage<Page<Found, Position>> find(String account, TagQuery query, int max, Position from) {
        Search search = new Search(query, max);
        if (query.container().isPresent()) {
            return translateFailures(catalogue
                    .use(
                            account,
                            query.container().get(),
                            found -> found.isPresent()
                                    ? search.in(found.get(), from)
                                    : CompletableFuture.completedFuture(null))
                    .thenApply(done -> search.page()));
        }
        return translateFailures(containers(account, search, from).thenApply(done -> search.page()));
    }

    /** Finds blobs in an existing container. */
    public CompletionStage<Page<Found, Position>> find(
            String account, ContainerName container, TagQuery query, int max, Position from) {
        Search search = new Search(query, max);
        return translateFailures(catalogue
                .use(
                        account,
                        container.value(),
                        found -> search.in(
                                found.orElseThrow(() -> new StorageException(StorageError.CONTAINER_NOT_FOUND)), from))
                .thenApply(done -> search.page()));
    }

    /** Searches some containers, and leaves the others to the next page. */
    private CompletionStage<Void> containers(String account, Search search, Position from) {
        return catalogue.list(account, "", PAGE_CONTAINERS_MAX, from.container).thenCompose(page -> {
            CompletionStage<Void> all = CompletableFuture.completedFuture(null);
            for (CatalogueEntry container : page.items()) {
                Position start =
                        container.name().equals(from.container) ? from : new Position(container.name(), "", "");
                all = all.thenCompose(before -> catalogue.use(
                        account,
                        container.name(),
                        container.id(),
                        now -> now
                                ? search.next(container, start)
                                // The container was deleted since it was listed.
                                : CompletableFuture.completedFuture(null)));
            }
            return all.thenAccept(done -> page.next().ifPresent(next -> search.stopAt(new Position(next, "", ""))));
        });
    }

    /** Collects one page. */
    private final class Search {
        private final TagQuery query;
        private final int max;
        private final long deadline = nanoTime.getAsLong() + Limits.PAGE_TIME_MAX.toNanos();
        private final List<Found> found = new ArrayList<>();
        private int examined;
        private int units;
        private boolean begun;
        private Optional<Position> stopped = Optional.empty();

        Search(TagQuery query, int max) {
            this.query = query;
            this.max = max;
        }

        boolean isFull() {
            return stopped.isPresent();
        }

        boolean isLate() {
            return nanoTime.getAsLong() - deadline > 0;
        }

        /** Searches the next container, unless the page is full or its time is over. */
        CompletionStage<Void> next(CatalogueEntry container, Position from) {
            if (begun && isLate()) {
                stopAt(from);
            }
            begun = true;
            return isFull() ? CompletableFuture.completedFuture(null) : in(container, from);
        }

        /** Ends the page, unless it has ended already. */
        void stopAt(Position position) {
            if (stopped.isEmpty()) {
                stopped = Optional.of(position);
            }
        }

        Page<Found, Position> page() {
            return new Page<>(found, stopped);
        }

        CompletionStage<Void> in(CatalogueEntry container, Position from) {
            KeyRange all = query.range(container.id());
            KeyRange rest = from.row.isEmpty() && from.value.isEmpty()
                    ? all
                    : all.startingAt(Key.of(container.id(), TagRowCodec.partition(query.key(), from.value), from.row)
                            .bytes());
            return AsyncLoop.from(rest, range -> step(container, range));
        }

        private CompletionStage<Optional<KeyRange>> step(CatalogueEntry container, KeyRange rest) {
            if (rest.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            // One more than fits, to know whether there is a next page.
            int wanted = Math.min(BATCH_ROWS, max - found.size() + 1);
            return rows.page(rest, Filter.ALL, wanted).thenCompose(page -> {
                List<Entry> entries = entries(page);
                Optional<Key> resume = page.resume();
                page.close();
                examined += entries.size();
                return verify(container.id(), entries).thenApply(blobs -> {
                    take(container, entries, blobs);
                    resume.filter(next -> examined >= PAGE_ENTRIES_MAX || isLate())
                            .ifPresent(next -> stopAt(position(container, next)));
                    return isFull() ? Optional.empty() : resume.map(next -> rest.startingAt(next.bytes()));
                });
            });
        }

        private void take(CatalogueEntry container, List<Entry> entries, List<Optional<Blob>> blobs) {
            for (int i = 0; i < entries.size() && !isFull(); i++) {
                Optional<Blob> match = blobs.get(i);
                if (match.isEmpty()) {
                    continue;
                }
                if (found.size() == max || units > PAGE_UNITS_MAX) {
                    stopAt(position(container, entries.get(i).key));
                } else {
                    add(container, match.get());
                }
            }
        }

        private void add(CatalogueEntry container, Blob blob) {
            SortedMap<String, String> tags = query.mentioned(blob.tags().values());
            units += blob.name().length();
            for (Map.Entry<String, String> tag : tags.entrySet()) {
                units += tag.getKey().length() + tag.getValue().length();
            }
            found.add(new Found(container.name(), blob.name(), tags));
        }

        /** Returns the blobs of index rows, empty for those that do not match. */
        private CompletionStage<List<Optional<Blob>>> verify(long container, List<Entry> entries) {
            List<CompletableFuture<Optional<Blob>>> blobs = entries.stream()
                    .map(entry -> verify(container, entry).toCompletableFuture())
                    .toList();
            return CompletableFuture.allOf(blobs.toArray(CompletableFuture[]::new))
                    .thenApply(
                            all -> blobs.stream().map(CompletableFuture::join).toList());
        }

        private CompletionStage<Optional<Blob>> verify(long container, Entry entry) {
            Key key = entry.key;
            return rows.read(container, TagRowCodec.name(key), OptionalLong.empty())
                    .thenCompose(found -> {
                        Optional<Blob> owner = found.map(BlobRowStore.Version::blob)
                                .filter(blob ->
                                        blob.tags().owns(query.key(), TagRowCodec.value(key), TagRowCodec.number(key)));
                        if (owner.isEmpty() && entry.put < ticks.next() - STALE_TICKS) {
                            return index.remove(container, key).thenApply(done -> Optional.empty());
                        }
                        return CompletableFuture.completedFuture(
                                owner.filter(blob -> query.matches(blob.tags().values())));
                    });
        }
    }

    /**
     * A row of the index.
     *
     * @param put the time in ticks
     */
    private record Entry(Key key, long put) {}

    private static List<Entry> entries(RowPage page) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < page.size(); i++) {
            entries.add(new Entry(page.key(i), TagRowCodec.put(page.row(i))));
        }
        return entries;
    }

    private static Position position(CatalogueEntry container, Key entry) {
        return new Position(container.name(), TagRowCodec.value(entry), entry.rowKey());
    }
}
