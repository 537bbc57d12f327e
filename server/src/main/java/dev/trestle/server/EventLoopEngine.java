package dev.trestle.server;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.RowVerification;
import dev.trestle.engine.Scan;
import dev.trestle.keyspace.Key;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An engine whose commits and drops complete on the event loop that asked for them, successes and failures alike. Otherwise
 * whatever follows a commit, such as rendering its response or the next read, would run on the one thread that commits for
 * everybody. Reads complete there too, unless the engine had the row in memory. Pages complete where they were read: they may
 * be large, and are rendered on that thread so that no event loop is held up.
 */
final class EventLoopEngine implements Engine {
    private final Engine engine;
    private final Context[] loops;
    private final AtomicInteger next = new AtomicInteger();

    /** @param loopCount the event loops that share the completions for callers that are on none */
    EventLoopEngine(Engine engine, Vertx vertx, int loopCount) {
        this.engine = engine;
        this.loops = new Context[loopCount];
        for (int i = 0; i < loopCount; i++) {
            loops[i] = vertx.getOrCreateContext();
        }
    }

    @Override
    public CompletionStage<Optional<byte[]>> read(Key key) {
        return onCallersLoop(engine.read(key));
    }

    @Override
    public CompletionStage<RowPage> scan(Scan scan) {
        return engine.scan(scan);
    }

    @Override
    public CompletionStage<CommitResult> commit(Commit commit) {
        return onCallersLoop(engine.commit(commit));
    }

    @Override
    public CompletionStage<Void> drop(long collection) {
        return onCallersLoop(engine.drop(collection));
    }

    private <T> CompletionStage<T> onCallersLoop(CompletionStage<T> stage) {
        CompletableFuture<T> result = stage.toCompletableFuture();
        return result.isDone() ? result : result.whenCompleteAsync((value, failure) -> {}, callersLoop());
    }

    private Executor callersLoop() {
        Context current = Vertx.currentContext();
        Context loop = current != null && current.isEventLoopContext()
                ? current
                : loops[Math.floorMod(next.getAndIncrement(), loops.length)];
        return task -> loop.runOnContext(hop -> task.run());
    }

    @Override
    public void release(long collection) {
        engine.release(collection);
    }

    @Override
    public boolean isShared() {
        return engine.isShared();
    }

    @Override
    public Optional<RowVerification> rowVerification() {
        return engine.rowVerification();
    }

    /** Leaves the engine open, which belongs to whoever opened it. */
    @Override
    public void close() {}
}
