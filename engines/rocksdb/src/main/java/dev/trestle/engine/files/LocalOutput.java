package dev.trestle.engine.files;

import dev.trestle.engine.content.ContentFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A file being written sequentially. */
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

    /** Syncs like {@code fdatasync}: the data and the length of the file, but not its times. */
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
