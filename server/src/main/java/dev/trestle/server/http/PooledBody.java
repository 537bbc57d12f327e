package dev.trestle.server.http;

import dev.trestle.server.protocol.EntityWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.util.function.Consumer;

/**
 * Large bodies, gathered in memory of Netty's pool that the socket reads from as it is. In an array of the heap they
 * would be cleared first and copied once more.
 */
final class PooledBody {
    private static final ByteBufAllocator POOL = ByteBufAllocator.DEFAULT;

    private PooledBody() {}

    /** What the writer hands over, to be released by whoever takes it. */
    static ByteBuf gather(Consumer<EntityWriter.Sink> writer) {
        CompositeByteBuf body = POOL.compositeDirectBuffer(Integer.MAX_VALUE);
        try {
            writer.accept((bytes, length) ->
                    body.addComponent(true, POOL.directBuffer(length, length).writeBytes(bytes, 0, length)));
            return body;
        } catch (Throwable e) {
            body.release();
            throw e;
        }
    }
}
