package dev.trestle.engine.files;

import dev.trestle.engine.content.ContentFileSystem;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/** A file being read. It stays readable until it is closed, even if its name is deleted. */
final class LocalInput implements ContentFileSystem.Input {
    private final FileChannel file;
    private final long stamp;

    /** @param stamp modification time of the file */
    LocalInput(FileChannel file, long stamp) {
        this.file = file;
        this.stamp = stamp;
    }

    @Override
    public long stamp() {
        return stamp;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public void read(long position, ByteBuffer into) throws IOException {
        int start = into.position();
        if (!ChunkedTransfer.forEach(into, piece -> file.read(piece, position + piece.position() - start))) {
            throw new EOFException("the file ends at " + file.size());
        }
    }

    @Override
    public Optional<FileChannel> file() {
        return Optional.of(file);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
