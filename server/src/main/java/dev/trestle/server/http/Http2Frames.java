package dev.trestle.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;

/** Tells somebody else too that a frame has come, or a head of several, of whatever kind it is. */
final class Http2Frames extends Http2FrameListenerDecorator {
    private final Runnable whole;

    Http2Frames(Http2FrameListener next, Runnable whole) {
        super(next);
        this.whole = whole;
    }

    @Override
    public int onDataRead(ChannelHandlerContext context, int stream, ByteBuf data, int padding, boolean last)
            throws Http2Exception {
        whole.run();
        return super.onDataRead(context, stream, data, padding, last);
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext context, int stream, Http2Headers headers, int padding, boolean last)
            throws Http2Exception {
        whole.run();
        super.onHeadersRead(context, stream, headers, padding, last);
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext context,
            int stream,
            Http2Headers headers,
            int dependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean last)
            throws Http2Exception {
        whole.run();
        super.onHeadersRead(context, stream, headers, dependency, weight, exclusive, padding, last);
    }

    @Override
    public void onPriorityRead(
            ChannelHandlerContext context, int stream, int dependency, short weight, boolean exclusive)
            throws Http2Exception {
        whole.run();
        super.onPriorityRead(context, stream, dependency, weight, exclusive);
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext context, int stream, long error) throws Http2Exception {
        whole.run();
        super.onRstStreamRead(context, stream, error);
    }

    @Override
    public void onSettingsAckRead(ChannelHandlerContext context) throws Http2Exception {
        whole.run();
        super.onSettingsAckRead(context);
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings) throws Http2Exception {
        whole.run();
        super.onSettingsRead(context, settings);
    }

    @Override
    public void onPingRead(ChannelHandlerContext context, long data) throws Http2Exception {
        whole.run();
        super.onPingRead(context, data);
    }

    @Override
    public void onPingAckRead(ChannelHandlerContext context, long data) throws Http2Exception {
        whole.run();
        super.onPingAckRead(context, data);
    }

    @Override
    public void onGoAwayRead(ChannelHandlerContext context, int lastStream, long error, ByteBuf debug)
            throws Http2Exception {
        whole.run();
        super.onGoAwayRead(context, lastStream, error, debug);
    }

    @Override
    public void onWindowUpdateRead(ChannelHandlerContext context, int stream, int more) throws Http2Exception {
        whole.run();
        super.onWindowUpdateRead(context, stream, more);
    }

    @Override
    public void onUnknownFrame(ChannelHandlerContext context, byte type, int stream, Http2Flags flags, ByteBuf payload)
            throws Http2Exception {
        whole.run();
        super.onUnknownFrame(context, type, stream, flags, payload);
    }
}
