package dev.trestle.server.blob;

import dev.trestle.blob.BlobReader;
import dev.trestle.server.pipeline.ResponseBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The content of a blob as the body of a response. */
final class BlobBody implements ResponseBody {
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
    public CompletionStage<ByteBuf> next(int bytesMax) {
        int most = (int) Math.min(bytesMax, reader.remaining());
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
