package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.pipeline.BufferedBody;
import dev.trestle.server.pipeline.RequestBody.Bytes;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Collects a whole body in memory, which grows as the body arrives. Belongs to an event loop. */
final class BodyCollector implements BodyReceiver {
    private final HttpServerRequest http;
    private final Context context;
    private final ServerLoad load;
    private final RequestMemory memory;
    private final IncomingBody.Watcher watcher;
    private final CompletableFuture<Bytes> done;
    private final long startNanos;

    /** @param bytesMax the maximum length of the body */
    BodyCollector(
            HttpServerRequest http,
            Context context,
            TransportContext transport,
            OptionalLong declaredLength,
            int bytesMax,
            IncomingBody.Watcher watcher,
            CompletableFuture<Bytes> done) {
        this.http = http;
        this.context = context;
        this.load = transport.load();
        this.memory = new RequestMemory(load, bytesMax);
        this.watcher = watcher;
        this.done = done;
        this.startNanos = transport.now();
        memory.expect((int) declaredLength.orElse(0));
    }

    @Override
    public void start(boolean inputEnded) {
        watcher.waitsForClient();
        http.handler(this::add);
        http.endHandler(end -> finish());
        if (inputEnded) {
            inputEnded();
        }
    }

    private void add(Buffer chunk) {
        if (done.isDone()) {
            return;
        }
        watcher.received(chunk.length());
        try {
            memory.add(chunk);
        } catch (StorageException e) {
            watcher.waitsForServer();
            done.completeExceptionally(e);
        }
    }

    private void finish() {
        if (done.isDone()) {
            return;
        }
        watcher.waitsForServer();
        if (memory.length() > BufferedBody.SMALL_BYTES && load.responsesOverflow()) {
            done.completeExceptionally(new StorageException(StorageError.SERVER_BUSY));
        } else {
            done.complete(new Bytes(memory.bytes(), memory.length()));
        }
    }

    @Override
    public void inputEnded() {
        if (!done.isDone()) {
            context.owner().setTimer(IncomingBody.LAST_BYTES_MILLIS, late -> {
                if (!done.isDone()) {
                    watcher.cutShort();
                }
            });
        }
    }

    @Override
    public boolean isLate(long nowNanos, long nanosMax) {
        return !done.isDone() && nowNanos - startNanos > nanosMax;
    }

    @Override
    public void fail(Throwable reason) {
        done.completeExceptionally(reason);
        memory.release();
    }
}
