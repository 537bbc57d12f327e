package dev.trestle.server.http;

import dev.trestle.engine.ContentStore;
import dev.trestle.server.pipeline.ResponseBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A range of a stored content as a body; the content is closed with it. */
final class ContentBody implements ResponseBody {
    private final ContentStore.Source content;
    private final long start;
    private final long length;
    private long fetched;

    ContentBody(ContentStore.Source content, long start, long length) {
        this.content = content;
        this.start = start;
        this.length = length;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public CompletionStage<ByteBuf> next(int bytesMax) {
        int bytes = (int) Math.min((long) bytesMax, length - fetched);
        long position = start + fetched;
        fetched += bytes;
        // A direct buffer, which the socket can send without a copy.
        ByteBuf piece = ByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
        CompletionStage<Void> read;
        try {
            read = content.read(position, piece.nioBuffer(0, bytes));
        } catch (RuntimeException e) {
            piece.release();
            throw e;
        }
        return read.whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        piece.release();
                    }
                })
                .thenApply(nothing -> piece.writerIndex(bytes));
    }

    @Override
    public Optional<FileRange> file() {
        return content.file().map(channel -> new FileRange(channel, start));
    }

    @Override
    public void close() {
        content.close();
    }
}
