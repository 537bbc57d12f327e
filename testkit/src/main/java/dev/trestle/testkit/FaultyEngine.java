package dev.trestle.testkit;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.keyspace.Key;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A decorator that injects faults into another engine. Each fault applies to the next call of its kind that has
 * none yet, in the order in which they were planned; calls without a fault pass through. Thread-safe.
 */
public final class FaultyEngine implements Engine {
    /** The calls that can get a fault. */
    public enum Call {
        READ,
        SCAN,
        COMMIT,
        DROP
    }

    private interface Fault {
        <T> CompletionStage<T> around(Supplier<CompletionStage<T>> call);
    }

    private final Engine engine;
    private final Map<Call, Queue<Fault>> faults = new EnumMap<>(Call.class);
    private final Map<Call, Integer> counts = new EnumMap<>(Call.class);

    public FaultyEngine(Engine engine) {
        this.engine = engine;
        for (Call call : Call.values()) {
            faults.put(call, new ArrayDeque<>());
        }
    }

    /** Returns the number of calls so far. */
    public synchronized int calls(Call call) {
        return counts.getOrDefault(call, 0);
    }

    /** Has the next call fail without an effect. */
    public void failNext(Call call, EngineException.Kind kind) {
        plan(call, new Fault() {
            @Override
            public <T> CompletionStage<T> around(Supplier<CompletionStage<T>> inner) {
                return CompletableFuture.failedFuture(new EngineException(kind, "Asked to fail."));
            }
        });
    }

    /** Has the next call take effect and fail nevertheless, as if its response were lost. */
    public void loseNextAnswer(Call call, EngineException.Kind kind) {
        plan(call, new Fault() {
            @Override
            public <T> CompletionStage<T> around(Supplier<CompletionStage<T>> inner) {
                CompletableFuture<T> answer = new CompletableFuture<>();
                inner.get()
                        .whenComplete((lost, failure) -> answer.completeExceptionally(
                                failure != null ? failure : new EngineException(kind, "Asked to lose the response.")));
                return answer;
            }
        });
    }

    /** Has the next call pass through, so that the next planned fault applies to the call after it. */
    public void passNext(Call call) {
        plan(call, new Fault() {
            @Override
            public <T> CompletionStage<T> around(Supplier<CompletionStage<T>> inner) {
                return inner.get();
            }
        });
    }

    /** The next call reaches the engine only when the returned action is run. */
    public Runnable delayNext(Call call) {
        CompletableFuture<Boolean> released = new CompletableFuture<>();
        plan(call, new Fault() {
            @Override
            public <T> CompletionStage<T> around(Supplier<CompletionStage<T>> inner) {
                CompletableFuture<T> answer = new CompletableFuture<>();
                released.minimalCompletionStage()
                        .thenRun(() -> inner.get().whenComplete((value, failure) -> {
                            if (failure == null) {
                                answer.complete(value);
                            } else {
                                answer.completeExceptionally(failure);
                            }
                        }));
                return answer;
            }
        });
        return () -> released.complete(true);
    }

    private synchronized void plan(Call call, Fault fault) {
        queue(call).add(fault);
    }

    private Queue<Fault> queue(Call call) {
        return Optional.ofNullable(faults.get(call)).orElseThrow();
    }

    private <T> CompletionStage<T> call(Call call, Supplier<CompletionStage<T>> inner) {
        Optional<Fault> fault;
        synchronized (this) {
            counts.merge(call, 1, Integer::sum);
            fault = Optional.ofNullable(queue(call).poll());
        }
        return fault.isPresent() ? fault.get().around(inner) : inner.get();
    }

    @Override
    public CompletionStage<Optional<byte[]>> read(Key key) {
        return call(Call.READ, () -> engine.read(key));
    }

    @Override
    public CompletionStage<RowPage> scan(Scan scan) {
        return call(Call.SCAN, () -> engine.scan(scan));
    }

    @Override
    public CompletionStage<CommitResult> commit(Commit commit) {
        return call(Call.COMMIT, () -> engine.commit(commit));
    }

    @Override
    public CompletionStage<Void> drop(long collection) {
        return call(Call.DROP, () -> engine.drop(collection));
    }

    @Override
    public void release(long collection) {
        engine.release(collection);
    }

    @Override
    public void close() {
        engine.close();
    }
}
