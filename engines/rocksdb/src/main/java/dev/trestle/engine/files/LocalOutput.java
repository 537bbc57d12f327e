package dev.trestle.engine.files;

import dev.trestle.engine.content.ContentFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A file being written, from its start to its end. */
final class LocalOutput implements ContentFileSystem.Output {
    private final FileChannel file;
    private final boolean synced;

    LocalOutput(FileChannel file, boolean synced) {
        this.file = file;
        this.synced = synced;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        ChunkedTransfer.forEach(bytes, file::write);
    }

    /**
     * Without what is not needed to read the bytes again: the length is, and so it is made durable even then; the time of
     * the last change is not.
     */
    @Override
    public void sync() throws IOException {
        if (synced) {
            file.force(false);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
