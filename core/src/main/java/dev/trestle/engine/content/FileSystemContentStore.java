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
 * Stores contents as files in the {@link ContentFileSystem} of an engine; {@link ContentLayout} describes the
 * files. One thread pool reads and writes pieces, and another one runs syncs and other long operations, so that
 * they do not delay pieces.
 */
public final class FileSystemContentStore implements ContentStore {
    /** Several calls for each open file, so that a content in flight is not refused its next piece. */
    private static final int QUEUED_BY_FILE = 4;

    /**
     * Settings of a store.
     *
     * @param threads size of each of the two thread pools
     * @param openMax limit of contents open for reading or writing
     * @param othersAge age at which recovery takes a file of another process for abandoned; zero if no other
     *     process writes
     * @param lateWriterGrace how long other processes may still keep contents of a collection after this one has
     *     dropped it
     */
    public record Settings(int threads, int openMax, Duration othersAge, Duration lateWriterGrace) {
        private static final int THREADS_MIN = 4;
        private static final int OPEN_MAX = 4096;

        /** Returns settings for files that only this process uses. */
        public static Settings alone() {
            int threads = Math.max(THREADS_MIN, Runtime.getRuntime().availableProcessors());
            return new Settings(threads, OPEN_MAX, Duration.ZERO, Duration.ZERO);
        }

        public Settings withOthers(Duration age, Duration grace) {
            return new Settings(threads, openMax, age, grace);
        }

        public Settings withOpenMax(int changed) {
            return new Settings(threads, changed, othersAge, lateWriterGrace);
        }
    }

    private final ContentFileSystem files;
    private final ContentLayout layout;
    private final WorkerPool pieces;
    private final WorkerPool seals;
    private final Semaphore openFiles;
    private final Duration lateWriterGrace;
    private final IncompleteContentRecovery recovery;
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
        this.openFiles = new Semaphore(settings.openMax());
        this.lateWriterGrace = settings.lateWriterGrace();
        this.recovery = new IncompleteContentRecovery(files, layout, inFlight::contains, settings.othersAge(), clock);
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
                Source source = new ContentFileSource(layout.open(content), pieces, openFiles::release);
                opened = true;
                return source;
            } finally {
                if (!opened) {
                    openFiles.release();
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
            if (failure != null || lateWriterGrace.isZero()) {
                forward(done, failure);
                return;
            }
            Timer.after(lateWriterGrace)
                    .thenCompose(late -> dropOnce(collection))
                    .whenComplete((again, failedAgain) -> forward(done, failedAgain));
        });
        return done;
    }

    @Override
    public void release(long collection) {
        inFlight.release(collection);
    }

    /** Returns the number of contents and dropped collections held in memory. */
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
        return run(seals, () -> recovery.run(reference));
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
        if (!openFiles.tryAcquire()) {
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
            openFiles.release();
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
