package dev.trestle.server.http;

import dev.trestle.engine.ContentStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A content in a file, which watches how it is used. */
final class FileSource implements ContentStore.Source {
    final AtomicInteger closed = new AtomicInteger();
    final AtomicInteger reads = new AtomicInteger();
    private final FileChannel channel;

    FileSource(Path file) throws IOException {
        this.channel = FileChannel.open(file);
    }

    @Override
    public CompletionStage<Void> read(long position, ByteBuffer into) {
        reads.incrementAndGet();
        return CompletableFuture.runAsync(() -> {
            try {
                long at = position;
                while (into.hasRemaining()) {
                    int read = channel.read(into, at);
                    if (read < 0) {
                        throw new EOFException("the file ends at " + at);
                    }
                    at += read;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public Optional<FileChannel> file() {
        return Optional.of(channel);
    }

    @Override
    public void close() {
        closed.incrementAndGet();
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
