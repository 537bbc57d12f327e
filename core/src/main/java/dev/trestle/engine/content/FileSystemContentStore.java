package dev.trestle.engine.content;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.support.Timer;
import dev.trestle.engine.support.WorkerPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Contents as files of an engine's choice, see {@link ContentLayout} for what is where and why. Pieces are read and
 * written on a few threads, and what waits long for the disk is done on a few others, so that it delays no piece.
 */
public final class FileSystemContentStore implements ContentStore {
    /** More than one call for each open file, so that a content under way is not refused its next piece. */
    private static final int QUEUED_BY_FILE = 4;

    /**
     * What a store is held to.
     *
     * @param threads for pieces, and again for what takes longer
     * @param openMax contents open at once, to be read or written
     * @param othersAge how old a file has to be before it is nobody's; zero where no other process writes here
     * @param lateWriters how long others may go on keeping contents of a collection that was dropped here
     */
    public record Settings(int threads, int openMax, Duration othersAge, Duration lateWriters) {
        private static final int THREADS_MIN = 4;
        private static final int OPEN_MAX = 4096;

        /** For files that this process alone uses. */
        public static Settings alone() {
            int threads = Math.max(THREADS_MIN, Runtime.getRuntime().availableProcessors());
            return new Settings(threads, OPEN_MAX, Duration.ZERO, Duration.ZERO);
        }

        public Settings withOthers(Duration age, Duration late) {
            return new Settings(threads, openMax, age, late);
        }

        public Settings withOpenMax(int changed) {
            return new Settings(threads, changed, othersAge, lateWriters);
        }
    }

    private final ContentFileSystem files;
    private final ContentLayout layout;
    private final WorkerPool pieces;
    private final WorkerPool seals;
    private final Semaphore room;
    private final Duration lateWriters;
    private final IncompleteContentRecovery settlement;
    private final ContentFileSink.Home home = new Home();
    private final Set<ContentFileSink> sinks = ConcurrentHashMap.newKeySet();

    private final ContentsInFlight inFlight = new ContentsInFlight();
    private final AtomicBoolean closed = new AtomicBoolean();

    public FileSystemContentStore(ContentFileSystem files, Settings settings, InstantSource clock) {
        this.files = files;
        this.layout = new ContentLayout(files, inFlight::isDropped);
        int queuedMax = QUEUED_BY_FILE * settings.openMax();
        this.pieces = new WorkerPool("trestle-content", settings.threads(), queuedMax, files::failure);
        this.seals = new WorkerPool("trestle-content-sync", settings.threads(), queuedMax, files::failure);
        this.room = new Semaphore(settings.openMax());
        this.lateWriters = settings.lateWriters();
        this.settlement = new IncompleteContentRecovery(files, layout, inFlight::contains, settings.othersAge(), clock);
    }

    @Override
    public Sink create(long collection, String name, Consumer<ByteBuffer> tap) {
        ContentPath content = new ContentPath(collection, name);
        ContentFileSink sink = new ContentFileSink(home, content, tap);
        inFlight.begin(content);
        sinks.add(sink);
        return sink;
    }

    @Override
    public CompletionStage<Void> requireRoom(long bytes) {
        return run(pieces, () -> files.requireRoom(bytes));
    }

    @Override
    public CompletionStage<Void> keep(long collection, String name) {
        ContentPath content = new ContentPath(collection, name);
        return run(pieces, () -> {
            layout.keep(content);
            inFlight.end(content);
        });
    }

    @Override
    public CompletionStage<Source> open(long collection, String name) {
        ContentPath content = new ContentPath(collection, name);
        return pieces.submit(() -> {
            enter();
            boolean opened = false;
            try {
                Source source = new ContentFileSource(layout.open(content), pieces, room::release);
                opened = true;
                return source;
            } finally {
                if (!opened) {
                    room.release();
                }
            }
        });
    }

    @Override
    public CompletionStage<Void> copy(long collection, String name, long toCollection, String toName, byte[] owner) {
        ContentPath from = new ContentPath(collection, name);
        ContentPath to = new ContentPath(toCollection, toName);
        byte[] ownerKept = owner.clone();
        inFlight.begin(to);
        CompletionStage<Void> copied = run(seals, () -> layout.copy(from, to, ownerKept));
        copied.whenComplete((nothing, failure) -> {
            if (failure != null) {
                inFlight.end(to);
            }
        });
        return copied;
    }

    @Override
    public CompletionStage<Void> delete(long collection, String name) {
        ContentPath content = new ContentPath(collection, name);
        return run(pieces, () -> {
            layout.delete(content);
            inFlight.end(content);
        });
    }

    @Override
    public CompletionStage<Void> drop(long collection) {
        inFlight.drop(collection);
        CompletableFuture<Void> done = new CompletableFuture<>();
        dropOnce(collection).whenComplete((nothing, failure) -> {
            if (failure != null || lateWriters.isZero()) {
                forward(done, failure);
                return;
            }
            Timer.after(lateWriters)
                    .thenCompose(late -> dropOnce(collection))
                    .whenComplete((again, failedAgain) -> forward(done, failedAgain));
        });
        return done;
    }

    @Override
    public void release(long collection) {
        inFlight.release(collection);
    }

    /** Contents and dropped collections that are held in memory. */
    public int held() {
        return inFlight.size();
    }

    private CompletionStage<Void> dropOnce(long collection) {
        return run(seals, () -> layout.drop(collection));
    }

    private static void forward(CompletableFuture<Void> done, @Nullable Throwable failure) {
        if (failure == null) {
            done.complete(null);
        } else {
            done.completeExceptionally(failure);
        }
    }

    @Override
    public CompletionStage<Void> resolve(Reference reference) {
        return run(seals, () -> settlement.settle(reference));
    }

    @Override
    public CompletionStage<Void> names(long collection, Consumer<String> seen) {
        return run(seals, () -> layout.names(collection, seen));
    }

    private interface Work {
        void run() throws Exception;
    }

    private static CompletionStage<Void> run(WorkerPool workers, Work work) {
        Callable<Void> call = () -> {
            work.run();
            return null;
        };
        return workers.submit(call);
    }

    private void enter() {
        if (!room.tryAcquire()) {
            throw new EngineException(EngineException.Kind.OVERLOADED, "Too many contents are open.");
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        pieces.close();
        seals.close();
        sinks.forEach(ContentFileSink::abandonAtOnce);
        try {
            files.close();
        } catch (IOException e) {
            throw files.failure(e);
        }
    }

    private final class Home implements ContentFileSink.Home {
        @Override
        public ContentLayout layout() {
            return layout;
        }

        @Override
        public WorkerPool pieces() {
            return pieces;
        }

        @Override
        public WorkerPool seals() {
            return seals;
        }

        @Override
        public void enter() {
            FileSystemContentStore.this.enter();
        }

        @Override
        public void leave() {
            room.release();
        }

        @Override
        public void sealed(ContentFileSink sink) {
            sinks.remove(sink);
        }

        @Override
        public void gone(ContentFileSink sink) {
            sinks.remove(sink);
            inFlight.end(sink.name());
        }
    }
}
