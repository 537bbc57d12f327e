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
 * An engine whose reads, commits and drops complete on the event loop of the caller, whether they succeed or fail.
 * Otherwise the next step, such as rendering the response, would run on the single thread that commits. Operations
 * that are complete at once stay on the caller's thread. Pages complete on the thread that read them: they may be
 * large, and are rendered there so that they do not block an event loop.
 */
final class EventLoopEngine implements Engine {
    private final Engine engine;
    private final Context[] loops;
    private final AtomicInteger next = new AtomicInteger();

    /** @param loopCount the number of event loops that run completions for callers on other threads */
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

    /** Does nothing: the engine belongs to the caller that opened it. */
    @Override
    public void close() {}
}
