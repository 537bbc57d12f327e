package dev.trestle.server.http;

import io.netty.channel.MaxMessagesRecvByteBufAllocator;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Keeps what is read from a socket before anybody asks for it small. Vert.x stops reading only when Netty has read as
 * often as it may in a row, which is a mebibyte by default; it has no option for that, hence the reach below it.
 */
final class ReadAhead {
    /** Each reads 64 KiB at most. */
    private static final int READS_IN_A_ROW = 4;

    private ReadAhead() {}

    static void limit(HttpConnection connection) {
        if (connection instanceof ConnectionBase base
                && base.channel().config().getRecvByteBufAllocator() instanceof MaxMessagesRecvByteBufAllocator reads) {
            reads.maxMessagesPerRead(READS_IN_A_ROW);
        }
    }
}
