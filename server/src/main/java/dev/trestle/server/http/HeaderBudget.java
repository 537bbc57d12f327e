package dev.trestle.server.http;

import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.sockets.VertxInternals;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ByteProcessor;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * Reserves request memory for headers while they arrive. This bounds the memory of many clients that each send
 * long headers and never complete them. Belongs to an event loop.
 */
final class HeaderBudget extends ChannelInboundHandlerAdapter {
    /** The header bytes per connection that need no reservation. */
    private static final int FREE_BYTES = 8 * 1024;

    /** Matches the bytes that the codec drops before a request line. */
    private static final ByteProcessor BLANKS = value -> {
        int octet = value & 0xFF;
        return octet <= ' ' || (octet >= 0x7F && octet <= 0x9F);
    };

    private final HttpConnection connection;
    private final ServerLoad load;
    private @Nullable HttpServerRequest current;
    private long arrived;
    private int blanks;
    private long reserved;

    private HeaderBudget(HttpConnection connection, ServerLoad load) {
        this.connection = connection;
        this.load = load;
    }

    static HeaderBudget of(HttpConnection connection, ServerLoad load) {
        HeaderBudget budget = new HeaderBudget(connection, load);
        VertxInternals.addBeforeDecoder(connection, budget);
        return budget;
    }

    /** Ends complete headers; returns the bytes reserved for them, which the request has to release. */
    long handOver() {
        current = null;
        arrived = 0;
        blanks = 0;
        long held = reserved;
        reserved = 0;
        return held;
    }

    /** The following bytes are the body of this request. */
    void body(HttpServerRequest http) {
        current = http;
    }

    /** Drops the reference to a request that has its response. */
    void responded() {
        if (current != null && current.isEnded()) {
            current = null;
        }
    }

    void release() {
        arrived = 0;
        if (reserved > 0) {
            load.release(reserved);
            reserved = 0;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf bytes && (current == null || current.isEnded())) {
            arrived += bytes.readableBytes() - leadingBlanks(bytes);
            boolean endless = blanks > HttpLimits.BLANK_BYTES_MAX;
            if (endless || (arrived > FREE_BYTES + reserved && !reserve(arrived - FREE_BYTES - reserved))) {
                bytes.release();
                connection.close();
                return;
            }
        }
        context.fireChannelRead(message);
    }

    /** Counts the bytes before a request line, which the codec drops without a limit. */
    private int leadingBlanks(ByteBuf bytes) {
        if (arrived > 0) {
            return 0;
        }
        int begin = bytes.forEachByte(BLANKS);
        int leading = begin < 0 ? bytes.readableBytes() : begin - bytes.readerIndex();
        blanks += leading;
        return leading;
    }

    private boolean reserve(long more) {
        if (!load.reserve(more, reserved + more)) {
            return false;
        }
        reserved += more;
        return true;
    }
}
