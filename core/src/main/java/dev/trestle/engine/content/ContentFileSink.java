package dev.trestle.engine.content;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.support.WorkerPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a content on the workers of its store, one call at a time. Sealing completes the file; if the sink is
 * abandoned or a call fails, the file is deleted.
 */
final class ContentFileSink implements ContentStore.Sink {
    /** The store of a sink. */
    interface Home {
        ContentLayout layout();

        WorkerPool pieces();

        WorkerPool seals();

        /** Acquires a permit for an open file. */
        void enter();

        void leave();

        void sealed(ContentFileSink sink);

        void gone(ContentFileSink sink);
    }

    private interface Step {
        void run() throws IOException;
    }

    private final Home home;
    private final ContentPath name;
    private final Consumer<ByteBuffer> tap;

    /** Used by the call in progress; by the thread that discards the content if there is none. */
    private ContentFileSystem.@Nullable Output output;

    // Guarded by this.
    private boolean busy;
    private boolean givenUp;
    private boolean ended;

    ContentFileSink(Home home, ContentPath name, Consumer<ByteBuffer> tap) {
        this.home = home;
        this.name = name;
        this.tap = tap;
    }

    ContentPath name() {
        return name;
    }

    @Override
    public CompletionStage<Void> write(ByteBuffer bytes) {
        return step(home.pieces(), () -> {
            ContentFileSystem.Output opened = opened();
            tap.accept(bytes.duplicate());
            opened.write(bytes);
        });
    }

    @Override
    public CompletionStage<Void> seal(byte[] owner) {
        byte[] kept = owner.clone();
        return step(home.seals(), () -> {
            home.layout().seal(name, opened(), kept);
            end();
        });
    }

    private ContentFileSystem.Output opened() throws IOException {
        ContentFileSystem.Output opened = output;
        if (opened == null) {
            home.enter();
            try {
                opened = home.layout().begin(name);
                output = opened;
            } finally {
                if (opened == null) {
                    home.leave();
                }
            }
        }
        return opened;
    }

    private CompletionStage<Void> step(WorkerPool workers, Step step) {
        synchronized (this) {
            if (busy) {
                throw new IllegalStateException("Another call to this sink is in progress.");
            }
            if (ended) {
                return CompletableFuture.failedFuture(abandoned());
            }
            busy = true;
        }
        return workers.submit(
                () -> {
                    try {
                        requireWanted();
                        step.run();
                    } catch (Throwable e) {
                        giveUp();
                        throw e;
                    }
                    return null;
                },
                this::rest);
    }

    private synchronized void requireWanted() {
        if (givenUp) {
            throw abandoned();
        }
    }

    private static EngineException abandoned() {
        return new EngineException(EngineException.Kind.UNAVAILABLE, "The content is no longer written.");
    }

    private synchronized void giveUp() {
        givenUp = true;
    }

    private void end() {
        synchronized (this) {
            ended = true;
        }
        home.leave();
        home.sealed(this);
    }

    /** Runs after a step, or instead of it if the pool rejected it. */
    private void rest() {
        synchronized (this) {
            busy = false;
            if (ended || !givenUp) {
                return;
            }
            ended = true;
        }
        discard();
    }

    @Override
    public void abandon() {
        synchronized (this) {
            if (ended || givenUp) {
                return;
            }
            givenUp = true;
            if (busy) {
                return;
            }
            ended = true;
        }
        home.pieces().submit(() -> null, this::discard);
    }

    /** Discards the content after the workers of the store have stopped. */
    void abandonAtOnce() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        discard();
    }

    private void discard() {
        ContentFileSystem.Output opened = output;
        try {
            if (opened != null) {
                opened.close();
            }
        } catch (IOException e) {
            // The file is deleted anyway.
        } finally {
            if (opened != null) {
                home.layout().discard(name);
                home.leave();
            }
            home.gone(this);
        }
    }
}
