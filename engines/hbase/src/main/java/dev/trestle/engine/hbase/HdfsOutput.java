package dev.trestle.engine.hbase;

import dev.trestle.engine.content.ContentFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataOutputStream;

/** A file of HDFS being written. */
final class HdfsOutput implements ContentFileSystem.Output {
    private static final int PIECE_BYTES = 1 << 16;

    private final FSDataOutputStream file;
    private final boolean synced;

    HdfsOutput(FSDataOutputStream file, boolean synced) {
        this.file = file;
        this.synced = synced;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        if (bytes.hasArray()) {
            file.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            bytes.position(bytes.limit());
            return;
        }
        byte[] piece = new byte[Math.min(PIECE_BYTES, bytes.remaining())];
        while (bytes.hasRemaining()) {
            int length = Math.min(piece.length, bytes.remaining());
            bytes.get(piece, 0, length);
            file.write(piece, 0, length);
        }
    }

    /** Syncs to the disks of the data nodes, or to their memory. */
    @Override
    public void sync() throws IOException {
        if (synced) {
            file.hsync();
        } else {
            file.hflush();
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
