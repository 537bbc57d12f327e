package dev.trestle.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Lets a client that has said all it wants to say, and closed its side, still read the answer. Netty would close the
 * connection as soon as it sees the end of the input, and Vert.x has no option for that, hence the reach below it.
 */
public final class HalfClose extends ChannelInboundHandlerAdapter {
    private final Runnable inputEnded;

    private HalfClose(Runnable inputEnded) {
        this.inputEnded = inputEnded;
    }

    /** Calls back, on the connection's event loop, when its client will send no more. */
    public static void watch(HttpConnection connection, Runnable inputEnded) {
        // An encrypted connection ends with an alert of its own, which leaves nothing half open.
        if (connection instanceof ConnectionBase base && !connection.isSsl()) {
            Channel channel = base.channel();
            channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
            channel.pipeline().addFirst(new HalfClose(inputEnded));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded.run();
        }
        context.fireUserEventTriggered(event);
    }
}
