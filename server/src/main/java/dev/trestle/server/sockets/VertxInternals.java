package dev.trestle.server.sockets;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.impl.transports.IoUringTransport;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.net.impl.VertxHandler;
import io.vertx.core.spi.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * All code that reaches below the public API of Vert.x: to the Netty channel under a connection, to buffers that
 * wrap Netty's, and to the transport. Each method says what the public API lacks.
 */
public final class VertxInternals {
    /** Each read takes 64 KiB at most. */
    private static final int READS_IN_A_ROW = 4;

    private VertxInternals() {}

    /**
     * Returns the io_uring transport of Vert.x with another I/O handler. Vert.x creates the handler itself and has
     * no option for its configuration.
     *
     * @param receiveBuffers allocates the buffers that sockets receive into
     */
    static Transport ioUring(IoHandlerFactory handlers, RecvByteBufAllocator receiveBuffers) {
        return new IoUringTransport() {
            @Override
            public IoHandlerFactory ioHandlerFactory() {
                return handlers;
            }

            /** Disables sendfile: with io_uring it needs a pipe and a kernel thread, which is slower than reading. */
            @Override
            public boolean supportFileRegion() {
                return false;
            }

            @Override
            public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
                super.configure(config, domainSocket, bootstrap);
                bootstrap.childOption(ChannelOption.RECVBUF_ALLOCATOR, receiveBuffers);
            }
        };
    }

    private static @Nullable Channel channel(HttpConnection connection) {
        return connection instanceof ConnectionBase base ? base.channel() : null;
    }

    /** Vert.x wraps buffers of its own making only; without this a response would be copied once more. */
    public static Buffer buffer(ByteBuf bytes) {
        return BufferInternal.buffer(bytes);
    }

    /** Whether the transport can have the kernel send a file; elsewhere Vert.x would read it on the event loop. */
    public static boolean sendsFiles(Vertx vertx) {
        return ((VertxInternal) vertx).transport().supportFileRegion();
    }

    /**
     * Limits how much is read from a socket before a request asks for it. Vert.x pauses a connection only after
     * Netty has read as often as it may in a row, which is a mebibyte by default, and has no option for that.
     */
    public static void limitReadAhead(HttpConnection connection) {
        Channel channel = channel(connection);
        if (channel != null
                && channel.config().getRecvByteBufAllocator() instanceof MaxMessagesRecvByteBufAllocator reads) {
            reads.maxMessagesPerRead(READS_IN_A_ROW);
        }
    }

    /**
     * Keeps a connection open when its client has closed its side, so that it can still read the response. Netty
     * would close it at the end of the input, and Vert.x has no option for that.
     *
     * @param inputEnded called on the event loop of the connection when its client will send no more
     */
    public static void allowHalfClose(HttpConnection connection, Runnable inputEnded) {
        Channel channel = channel(connection);
        // A TLS connection ends with an alert, which leaves nothing half open.
        if (channel != null && !connection.isSsl()) {
            channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
            channel.pipeline().addFirst(new InputShutdownHandler(inputEnded));
        }
    }

    private static final class InputShutdownHandler extends ChannelInboundHandlerAdapter {
        private final Runnable inputEnded;

        InputShutdownHandler(Runnable inputEnded) {
            this.inputEnded = inputEnded;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof ChannelInputShutdownEvent) {
                inputEnded.run();
            }
            context.fireUserEventTriggered(event);
        }
    }

    /** Closes a connection whose client reads nothing. Vert.x would first wait for it to read what was written. */
    public static void closeNow(HttpConnection connection) {
        Channel channel = channel(connection);
        if (channel == null) {
            connection.close();
            return;
        }
        Channel.Unsafe socket = channel.unsafe();
        socket.close(socket.voidPromise());
    }

    /** Returns the progress of a file on its way to a client. Vert.x tells only when all of it was read. */
    public static @Nullable SendProgress sendProgress(HttpConnection connection) {
        Channel channel = channel(connection);
        return channel == null ? null : new SendProgress(channel);
    }

    /**
     * Adds a handler that sees the bytes of an HTTP/1.1 connection before they are decoded, after TLS. HTTP/2
     * brings several requests at once, with limits of its own.
     */
    public static void addBeforeDecoder(HttpConnection connection, ChannelHandler handler) {
        addBefore(connection, HttpRequestDecoder.class, handler);
    }

    /** Adds a handler that sees the decoded messages of an HTTP/1.1 connection before Vert.x does. */
    public static void addBeforeVertx(HttpConnection connection, ChannelHandler handler) {
        addBefore(connection, VertxHandler.class, handler);
    }

    private static void addBefore(
            HttpConnection connection, Class<? extends ChannelHandler> next, ChannelHandler handler) {
        Channel channel = channel(connection);
        if (channel != null && connection.protocolVersion() != HttpVersion.HTTP_2) {
            ChannelPipeline pipeline = channel.pipeline();
            pipeline.addBefore(pipeline.context(next).name(), null, handler);
        }
    }
}
