package dev.trestle.blob;

import dev.trestle.engine.RowPage;
import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Lists the blobs of a container, in the order of their names. It seeks: of a prefix nothing else is looked at, and a
 * group of names that share all up to a delimiter is passed by in one step once it has been seen to be long.
 */
public final class BlobLister {
    /** How many blobs of a group are passed one by one before it is jumped over. */
    private static final int PASSED_MAX = 100;

    private static final int ROWS_MAX = 1000;

    /** Only to find the container again; no blob has to have it. */
    private static final BlobName ANY = new BlobName("-");

    private final BlobVersions versions;
    private final BlobRowStore rows;

    BlobLister(BlobVersions versions, BlobRowStore rows) {
        this.versions = versions;
        this.rows = rows;
    }

    /**
     * What is to be listed.
     *
     * @param delimiter empty to list every blob by itself
     */
    public record Query(String prefix, String delimiter, int max, boolean snapshots, boolean uncommitted) {}

    /**
     * Where a page ended.
     *
     * @param row which of the versions of that name, empty for the first
     */
    public record Cursor(String name, String row) {
        public static final Cursor START = new Cursor("", "");
    }

    /** A line of a listing. */
    public sealed interface Entry {
        String name();
    }

    public record Listed(Blob blob) implements Entry {
        @Override
        public String name() {
            return blob.name();
        }
    }

    /** All blobs whose names begin like this. */
    public record Group(String name) implements Entry {}

    /** A blob of which there are blocks and nothing else yet. */
    public record Uncommitted(String name) implements Entry {}

    /**
     * Some of a listing.
     *
     * @param next where to go on, empty at the end
     */
    public record Page(List<Entry> entries, Optional<Cursor> next) {}

    public CompletionStage<Page> list(String account, ContainerName container, Query query, Cursor from) {
        return versions.in(new BlobAddress(account, container, ANY), id -> {
            Listing listing = new Listing(id, query, from);
            CompletionStage<Page> page = listing.fill();
            return query.uncommitted ? page.thenCompose(committed -> merge(id, query, from, committed)) : page;
        });
    }

    /** One page in the making. */
    private final class Listing {
        private final long container;
        private final Query query;
        private final Filter filter;
        private final List<Entry> entries = new ArrayList<>();
        private final KeyRange range;
        private String group = "";
        private Optional<Cursor> full = Optional.empty();

        Listing(long container, Query query, Cursor from) {
            this.container = container;
            this.query = query;
            this.filter =
                    query.snapshots ? Filter.ALL : Filter.compare(Filter.ROW_KEY, Operator.EQ, BlobRowCodec.base());
            this.range = BlobRowCodec.names(container, query.prefix, BlobRowCodec.after(query.prefix))
                    .startingAt(position(from));
        }

        private byte[] position(Cursor cursor) {
            return cursor.row.isEmpty()
                    ? BlobRowCodec.names(container, cursor.name, Optional.empty())
                            .from()
                    : Key.of(container, BlobRowCodec.partition(cursor.name), cursor.row)
                            .bytes();
        }

        CompletionStage<Page> fill() {
            return AsyncLoop.from(range, this::step).thenApply(filled -> new Page(entries, full));
        }

        /** Looks at some rows, and answers what is left to look at. */
        private CompletionStage<Optional<KeyRange>> step(KeyRange rest) {
            if (rest.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            // One more than there is room for, to know whether there is more.
            int wanted = query.max - entries.size() + 1;
            int most = query.delimiter.isEmpty() ? ROWS_MAX : PASSED_MAX;
            return rows.page(rest, filter, Math.min(wanted, most)).thenApply(page -> {
                try (page) {
                    full = take(page);
                }
                return full.isPresent() ? Optional.empty() : page.resume().map(key -> rest.startingAt(next(key)));
            });
        }

        private byte[] next(Key resume) {
            return isInGroup(BlobRowCodec.name(resume)) ? afterGroup(resume.bytes()) : resume.bytes();
        }

        private boolean isInGroup(String name) {
            return !group.isEmpty() && name.startsWith(group);
        }

        private byte[] afterGroup(byte[] otherwise) {
            return BlobRowCodec.after(group)
                    .map(name -> position(new Cursor(name, "")))
                    .orElse(otherwise);
        }

        /** Takes what there is room for; answers where the first is that there is none for. */
        private Optional<Cursor> take(RowPage page) {
            for (int i = 0; i < page.size(); i++) {
                Key key = page.key(i);
                String name = BlobRowCodec.name(key);
                if (isInGroup(name)) {
                    continue;
                }
                if (entries.size() == query.max) {
                    return Optional.of(new Cursor(name, key.rowKey()));
                }
                Optional<String> common = groupOf(query, name);
                if (common.isPresent()) {
                    group = common.get();
                    entries.add(new Group(group));
                } else {
                    entries.add(new Listed(BlobRowCodec.decode(page, i)));
                }
            }
            return Optional.empty();
        }
    }

    private static Optional<String> groupOf(Query query, String name) {
        int at = query.delimiter.isEmpty() ? -1 : name.indexOf(query.delimiter, query.prefix.length());
        return at < 0 ? Optional.empty() : Optional.of(name.substring(0, at + query.delimiter.length()));
    }

    /** Adds the blobs that are nothing but blocks, where they belong. */
    private CompletionStage<Page> merge(long container, Query query, Cursor from, Page committed) {
        String first = from.name.compareTo(query.prefix) < 0 ? query.prefix : from.name;
        Optional<String> end = committed.next().map(Cursor::name).or(() -> BlobRowCodec.after(query.prefix));
        KeyRange range = BlobRowCodec.blockNames(container, first, end);
        return waiting(container, query, range).thenApply(found -> {
            List<Entry> all = new ArrayList<>(committed.entries());
            for (Entry entry : found) {
                int at = 0;
                while (at < all.size() && all.get(at).name().compareTo(entry.name()) < 0) {
                    at++;
                }
                if (at == all.size() || !all.get(at).name().equals(entry.name())) {
                    all.add(at, entry);
                }
            }
            return all.size() <= query.max
                    ? new Page(all, committed.next())
                    : new Page(all.subList(0, query.max), Optional.of(cursor(all.get(query.max))));
        });
    }

    private static Cursor cursor(Entry entry) {
        return new Cursor(
                entry.name(), entry instanceof Listed listed ? BlobRowCodec.rowKey(listed.blob.snapshot()) : "");
    }

    /** The blobs that are nothing but blocks, one more than there may be room for. */
    private CompletionStage<List<Entry>> waiting(long container, Query query, KeyRange range) {
        List<Entry> found = new ArrayList<>();
        return AsyncLoop.from(range, rest -> {
                    if (rest.isEmpty() || found.size() > query.max) {
                        return CompletableFuture.completedFuture(Optional.empty());
                    }
                    return rows.first(rest).thenCompose(first -> {
                        if (first.isEmpty()) {
                            return CompletableFuture.completedFuture(Optional.empty());
                        }
                        String name = BlobRowCodec.name(first.get().key());
                        return rows.read(container, name, OptionalLong.empty()).thenApply(blob -> {
                            Optional<String> group = blob.isEmpty() ? groupOf(query, name) : Optional.empty();
                            if (blob.isEmpty()) {
                                add(found, group.<Entry>map(Group::new).orElseGet(() -> new Uncommitted(name)));
                            }
                            // The others of a group would be the same line again.
                            return Optional.of(rest.startingAt(group.flatMap(BlobRowCodec::after)
                                    .map(next -> BlobRowCodec.blockNames(container, next, Optional.empty())
                                            .from())
                                    .orElseGet(
                                            () -> Key.afterPartition(container, BlobRowCodec.blocksPartition(name)))));
                        });
                    });
                })
                .thenApply(all -> found);
    }

    private static void add(List<Entry> found, Entry entry) {
        if (found.isEmpty() || !found.get(found.size() - 1).name().equals(entry.name())) {
            found.add(entry);
        }
    }
}
