package dev.trestle.engine.hbase;

import dev.trestle.engine.content.ContentFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;

/** A file of HDFS being read at positions. Thread-safe. */
final class HdfsInput implements ContentFileSystem.Input {
    private static final int PIECE_BYTES = 1 << 18;

    interface Size {
        long read() throws IOException;
    }

    private final FSDataInputStream file;
    private final Size size;

    HdfsInput(FSDataInputStream file, Size size) {
        this.file = file;
        this.size = size;
    }

    @Override
    public long size() throws IOException {
        return size.read();
    }

    @Override
    public void read(long position, ByteBuffer into) throws IOException {
        if (into.hasArray()) {
            file.readFully(position, into.array(), into.arrayOffset() + into.position(), into.remaining());
            into.position(into.limit());
            return;
        }
        byte[] piece = new byte[Math.min(PIECE_BYTES, into.remaining())];
        for (long at = position; into.hasRemaining(); ) {
            int length = Math.min(piece.length, into.remaining());
            file.readFully(at, piece, 0, length);
            into.put(piece, 0, length);
            at += length;
        }
    }

    @Override
    public Optional<FileChannel> file() {
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
