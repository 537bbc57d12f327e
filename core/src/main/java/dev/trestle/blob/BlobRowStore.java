package dev.trestle.blob;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The rows of containers, read and written as what they stand for. */
final class BlobRowStore {
    private static final int PAGE_ROWS = 1000;
    private static final int PAGE_BYTES = 1 << 20;

    private final Engine engine;

    /** Whether the last commit failed because the engine takes none. */
    private volatile boolean failing;

    BlobRowStore(Engine engine) {
        this.engine = engine;
    }

    /** A blob with the version of its row, for a later commit to build on. */
    record Version(Blob blob, long version) {}

    CompletionStage<Optional<Version>> read(long container, String name, OptionalLong snapshot) {
        Key key = BlobRowCodec.key(container, name, snapshot);
        return engine.read(key)
                .thenApply(row -> row.map(bytes -> new Version(BlobRowCodec.decode(key, bytes), Rows.version(bytes))));
    }

    /** The blob and its snapshots, these first and the oldest of them before the others. */
    CompletionStage<List<Version>> versions(long container, String name) {
        List<Version> found = new ArrayList<>();
        return each(
                        BlobRowCodec.versions(container, name),
                        (key, row) -> found.add(new Version(BlobRowCodec.decode(key, row), Rows.version(row))))
                .thenApply(all -> found);
    }

    CompletionStage<Optional<byte[]>> row(Key key) {
        return engine.read(key);
    }

    /** Commits; false when a row is not as it has to be. */
    CompletionStage<Boolean> commit(long container, String partition, List<Write> writes) {
        CompletionStage<CommitResult> commit = engine.commit(new Commit(container, partition, writes));
        return commit.whenComplete((result, failure) -> note(failure)).thenApply(result -> {
            if (result instanceof CommitResult.Refused refused) {
                if (refused.reason() == CommitResult.Reason.COLLECTION_DROPPED) {
                    throw new ContainerGoneException();
                }
                return false;
            }
            return true;
        });
    }

    private void note(@Nullable Throwable failure) {
        if (failure == null) {
            if (failing) {
                failing = false;
            }
        } else if (StageFailures.cause(failure) instanceof EngineException trouble
                && (trouble.kind() == EngineException.Kind.FULL
                        || trouble.kind() == EngineException.Kind.UNAVAILABLE)) {
            failing = true;
        }
    }

    /** Fails while the engine takes no commits. Costs a commit only if the last one failed. */
    CompletionStage<Void> requireWritable(long container) {
        return failing ? probe(container) : CompletableFuture.completedFuture(null);
    }

    /** Commits to the container, and changes nothing: no blob has an empty name. */
    CompletionStage<Void> probe(long container) {
        Write nothing = new Write.Delete(BlobRowCodec.blockKey(container, "", ""), Precondition.NONE);
        return commit(container, BlobRowCodec.blocksPartition(""), List.of(nothing))
                .thenApply(done -> null);
    }

    /** Commits writes of one partition, however many, a few at a time. */
    CompletionStage<Void> commitAll(long container, String partition, List<Write> writes) {
        CompletionStage<Void> done = CompletableFuture.completedFuture(null);
        for (int i = 0; i < writes.size(); i += Commit.WRITES_MAX) {
            List<Write> some = writes.subList(i, Math.min(writes.size(), i + Commit.WRITES_MAX));
            done = done.thenCompose(before -> commit(container, partition, some).thenAccept(ignored -> {}));
        }
        return done;
    }

    /** Returns the first row of a range. */
    CompletionStage<Optional<First>> first(KeyRange range) {
        return page(range, Filter.ALL, 1).thenApply(page -> {
            try (page) {
                return page.size() == 0
                        ? Optional.empty()
                        : Optional.of(new First(page.key(0), page.row(0), page.resume()));
            }
        });
    }

    /**
     * The first row of a range.
     *
     * @param next the key of the next row, if there is one
     */
    record First(Key key, byte[] row, Optional<Key> next) {}

    /** Returns a page of rows, which the caller closes. */
    CompletionStage<RowPage> page(KeyRange range, Filter filter, int rows) {
        return engine.scan(
                new Scan(List.of(range), filter, List.of(), new Scan.Limits(rows, PAGE_BYTES, Limits.PAGE_TIME_MAX)));
    }

    /** Shows every row of the range. */
    CompletionStage<Void> each(KeyRange range, BiConsumer<Key, byte[]> seen) {
        if (range.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return AsyncLoop.from(
                range,
                rest -> page(rest, Filter.ALL, PAGE_ROWS).thenApply(page -> {
                    try (page) {
                        for (int i = 0; i < page.size(); i++) {
                            seen.accept(page.key(i), page.row(i));
                        }
                    }
                    return page.resume().map(key -> rest.startingAt(key.bytes()));
                }));
    }
}
