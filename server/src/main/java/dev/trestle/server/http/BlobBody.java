package dev.trestle.server.http;

import dev.trestle.blob.BlobReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What is read of a blob, as the body of an answer. */
final class BlobBody implements OutgoingBody {
    private final BlobReader reader;
    private final long length;

    BlobBody(BlobReader reader) {
        this.reader = reader;
        this.length = reader.remaining();
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public CompletionStage<ByteBuf> next() {
        int most = (int) Math.min(PIECE_BYTES, reader.remaining());
        ByteBuf piece = ByteBufAllocator.DEFAULT.directBuffer(most);
        ByteBuffer into = piece.nioBuffer(0, most);
        return reader.read(into).thenApply(read -> piece.writerIndex(read)).whenComplete((read, failure) -> {
            if (failure != null) {
                piece.release();
            }
        });
    }

    @Override
    public Optional<FileRange> file() {
        return reader.file().map(range -> new FileRange(range.file(), range.position()));
    }

    @Override
    public void close() {
        reader.close();
    }
}
