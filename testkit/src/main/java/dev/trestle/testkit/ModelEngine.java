package dev.trestle.testkit;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.CommitResult.Reason;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.RowPage.StopReason;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.Ticks;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The model of an engine, used as the oracle: a sorted map, with synchronous calls. It implements {@link Engine}
 * in the simplest way, so that reading it is enough to trust it. State is guarded by this object's lock.
 */
public final class ModelEngine implements Engine {
    private static final Duration TIME_MAX = Duration.ofDays(1);

    private final InstantSource clock;
    private final TreeMap<Key, byte[]> rows = new TreeMap<>();
    private final Set<Long> dropped = new HashSet<>();
    private long lastVersion;
    private boolean closed;

    public ModelEngine(InstantSource clock) {
        this.clock = clock;
    }

    /** Returns an engine with the data of this one, which is closed, as after a restart of the process. */
    public synchronized ModelEngine reopen(InstantSource newClock) {
        if (!closed) {
            throw new IllegalStateException("close the engine before it is opened again");
        }
        ModelEngine reopened = new ModelEngine(newClock);
        reopened.rows.putAll(rows);
        reopened.lastVersion = lastVersion;
        return reopened;
    }

    @Override
    public CompletionStage<Optional<byte[]>> read(Key key) {
        return answer(() -> Optional.ofNullable(rows.get(key)).map(byte[]::clone));
    }

    @Override
    public CompletionStage<RowPage> scan(Scan scan) {
        return answer(() -> page(scan));
    }

    private RowPage page(Scan scan) {
        Scan.Limits limits = scan.limits();
        long startNanos = System.nanoTime();
        long limitNanos = limits.time().compareTo(TIME_MAX) < 0 ? limits.time().toNanos() : TIME_MAX.toNanos();
        RowPage.Builder page = new RowPage.Builder();
        boolean first = true;
        for (KeyRange range : scan.ranges()) {
            if (range.isEmpty()) {
                continue;
            }
            for (Map.Entry<Key, byte[]> entry : rows.subMap(Key.ofBytes(range.from()), Key.ofBytes(range.to()))
                    .entrySet()) {
                if (!first && System.nanoTime() - startNanos >= limitNanos) {
                    return page.stop(StopReason.TIME_LIMIT, entry.getKey());
                }
                first = false;
                page.examine();
                byte[] key = entry.getKey().bytes();
                byte[] row = entry.getValue();
                if (!DecodedFilter.matches(scan.filter(), entry.getKey(), row)) {
                    continue;
                }
                if (page.size() >= limits.rows()) {
                    return page.stop(StopReason.ROW_LIMIT, entry.getKey());
                }
                if (page.size() > 0 && page.bytes() + key.length + row.length > limits.bytes()) {
                    return page.stop(StopReason.BYTE_LIMIT, entry.getKey());
                }
                page.add(key, key.length, row, row.length);
            }
        }
        return page.end();
    }

    @Override
    public CompletionStage<CommitResult> commit(Commit commit) {
        return answer(() -> apply(commit));
    }

    private CommitResult apply(Commit commit) {
        if (dropped.contains(commit.collection())) {
            return new CommitResult.Refused(0, Reason.COLLECTION_DROPPED);
        }
        Map<Key, Optional<byte[]>> after = new TreeMap<>();
        for (int i = 0; i < commit.writes().size(); i++) {
            Write write = commit.writes().get(i);
            Optional<byte[]> current = Optional.ofNullable(rows.get(write.key()));
            Optional<byte[]> changed = changed(write, current);
            Optional<Reason> refusal = write.precondition()
                    .check(current.isPresent(), current.map(Rows::version).orElse(0L))
                    .or(() -> pastLimits(write, changed));
            if (refusal.isPresent()) {
                return new CommitResult.Refused(i, refusal.get());
            }
            after.put(write.key(), changed);
        }
        lastVersion = Math.max(Ticks.of(clock.instant()), lastVersion + 1);
        after.forEach((key, row) -> row.ifPresentOrElse(
                present -> {
                    Rows.stamp(present, lastVersion);
                    rows.put(key, present);
                },
                () -> rows.remove(key)));
        return new CommitResult.Committed(lastVersion);
    }

    private static Optional<byte[]> changed(Write write, Optional<byte[]> current) {
        if (write instanceof Write.Put put) {
            return Optional.of(put.row().clone());
        } else if (write instanceof Write.Merge merge) {
            return Optional.of(current.map(row -> Rows.merge(row, merge.columns()))
                    .orElseGet(() -> merge.columns().clone()));
        } else if (write instanceof Write.Delete) {
            return Optional.empty();
        }
        throw new AssertionError(write);
    }

    private static Optional<Reason> pastLimits(Write write, Optional<byte[]> changed) {
        if (write instanceof Write.Merge merge) {
            byte[] row = changed.orElseThrow();
            if (Rows.propertyCount(row) > merge.limits().columnsMax()) {
                return Optional.of(Reason.TOO_MANY_COLUMNS);
            }
            if (!Rows.withinDocumentedSize(
                    merge.limits().keyUnits(), row, merge.limits().bytesMax())) {
                return Optional.of(Reason.ROW_TOO_LARGE);
            }
        }
        return Optional.empty();
    }

    @Override
    public CompletionStage<Void> drop(long collection) {
        KeyRange range = Key.collectionRange(collection);
        return answer(() -> {
            dropped.add(collection);
            rows.subMap(Key.ofBytes(range.from()), Key.ofBytes(range.to())).clear();
            return null;
        });
    }

    @Override
    public synchronized void release(long collection) {
        dropped.remove(collection);
    }

    /** Dropped collections that were not released. */
    public synchronized int collectionsDropped() {
        return dropped.size();
    }

    private <T> CompletionStage<T> answer(Supplier<T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        T value;
        synchronized (this) {
            if (closed) {
                answer.completeExceptionally(
                        new EngineException(EngineException.Kind.UNAVAILABLE, "The engine is closed."));
                return answer;
            }
            value = call.get();
        }
        // Outside the lock, because dependent stages run here and may call this engine.
        answer.complete(value);
        return answer;
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
