package dev.trestle.server.http;

import dev.trestle.server.sockets.VertxInternals;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;

/**
 * Detects request bodies that the codec cannot decode, such as broken chunks. Vert.x would close the connection
 * without any response, not even those to earlier requests. Belongs to an event loop.
 */
final class BodyDecodeFailures extends ChannelInboundHandlerAdapter {
    private final Runnable listener;
    private int decoded;
    private int handled;
    private boolean failed;

    private BodyDecodeFailures(Runnable listener) {
        this.listener = listener;
    }

    /** @param listener called when the body of the last request that was handled cannot be decoded */
    static BodyDecodeFailures of(HttpConnection connection, Runnable listener) {
        BodyDecodeFailures failures = new BodyDecodeFailures(listener);
        VertxInternals.addBeforeVertx(connection, failures);
        return failures;
    }

    /** Counts a request that is being handled; returns whether its body is already known to be malformed. */
    boolean handle() {
        handled++;
        return isBroken();
    }

    /**
     * Nothing is decoded after a failure, so the last request is the malformed one, after all pipelined ones
     * before it.
     */
    private boolean isBroken() {
        return failed && handled == decoded;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            decoded++;
        } else if (message instanceof HttpContent content
                && content.decoderResult().isFailure()) {
            ReferenceCountUtil.release(message);
            failed = true;
            if (isBroken()) {
                listener.run();
            }
            return;
        }
        context.fireChannelRead(message);
    }
}
