package dev.trestle.engine.content;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.support.WorkerPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Reads a content on the workers of its store. */
final class ContentFileSource implements ContentStore.Source {
    private static final int PIECE_BYTES = 64 * 1024;

    private final ContentFileSystem.Input input;
    private final WorkerPool workers;
    private final Runnable whenClosed;
    private final AtomicBoolean closed = new AtomicBoolean();

    ContentFileSource(ContentFileSystem.Input input, WorkerPool workers, Runnable whenClosed) {
        this.input = input;
        this.workers = workers;
        this.whenClosed = whenClosed;
    }

    @Override
    public CompletionStage<Void> read(long position, ByteBuffer into) {
        if (position < 0) {
            throw new IllegalArgumentException("The position in a content is negative: " + position);
        }
        return workers.submit(() -> {
            input.read(position, into);
            return null;
        });
    }

    @Override
    public CompletionStage<Void> readAll(long length, Consumer<ByteBuffer> seen) {
        return workers.submit(() -> {
            ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, length));
            for (long position = 0; position < length; position += piece.limit()) {
                piece.clear().limit((int) Math.min(piece.capacity(), length - position));
                input.read(position, piece);
                seen.accept(piece.flip());
            }
            return null;
        });
    }

    @Override
    public long stamp() {
        return input.stamp();
    }

    @Override
    public Optional<FileChannel> file() {
        return input.file();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                input.close();
            } catch (IOException e) {
                // Reads have completed, so the failure has no effect.
            } finally {
                whenClosed.run();
            }
        }
    }
}
