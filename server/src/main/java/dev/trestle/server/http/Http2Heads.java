package dev.trestle.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Counts the head that arrives on a connection of HTTP/2 against the memory for requests, as {@link HeadWatch} does for
 * HTTP/1.1. A long head comes in several frames with no other between them, and nobody is told of it before the last:
 * so what arrives while no frame is told of is the part of a head. A whole one is counted as {@link Http2Head}. Belongs
 * to an event loop.
 */
final class Http2Heads extends ChannelInboundHandlerAdapter {
    /** What every connection may hold without asking: one frame, which the codec collects in any case. */
    private static final int FREE_BYTES = Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE + Http2CodecUtil.FRAME_HEADER_LENGTH;

    private final HttpConnection connection;
    private final ServerLoad load;
    private boolean told;
    private long arrived;
    private long reserved;

    private Http2Heads(HttpConnection connection, ServerLoad load) {
        this.connection = connection;
        this.load = load;
    }

    static void watch(HttpConnection connection, ServerLoad load) {
        if (connection instanceof ConnectionBase base && connection.protocolVersion() == HttpVersion.HTTP_2) {
            Http2Heads heads = new Http2Heads(connection, load);
            ChannelPipeline pipeline = base.channel().pipeline();
            Http2ConnectionHandler codec = pipeline.get(Http2ConnectionHandler.class);
            codec.decoder().frameListener(new Http2Frames(codec.decoder().frameListener(), () -> heads.told = true));
            pipeline.addBefore(pipeline.context(codec).name(), null, heads);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        int bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
        told = false;
        context.fireChannelRead(message);
        if (told) {
            release();
        } else if (!context.isRemoved() && !add(bytes)) {
            release();
            connection.close();
        }
    }

    private boolean add(int bytes) {
        arrived += bytes;
        long more = arrived - FREE_BYTES - reserved;
        if (more <= 0) {
            return true;
        }
        reserved += more;
        return load.reserve(more, reserved);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        release();
    }

    private void release() {
        arrived = 0;
        if (reserved > 0) {
            load.release(reserved);
            reserved = 0;
        }
    }
}
