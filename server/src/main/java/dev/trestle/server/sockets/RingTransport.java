package dev.trestle.server.sockets;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.vertx.core.transport.Transport;
import org.jspecify.annotations.Nullable;

/** Vert.x's io_uring transport with the fixes of {@link RingHandler}. */
final class RingTransport implements Transport {
    static final Transport INSTANCE = new RingTransport();

    /** The size of the completion queue, the maximum: a connection may have several completions pending. */
    private static final int COMPLETIONS_MAX = 64 * 1024;

    private RingTransport() {}

    @Override
    public String name() {
        return "io_uring";
    }

    @Override
    public boolean available() {
        return unavailabilityCause() == null;
    }

    /** Requires Linux 6.0 for multishot receive; older kernels have smaller rings and more defects. */
    @Override
    public @Nullable Throwable unavailabilityCause() {
        if (!IoUring.isAvailable()) {
            return IoUring.unavailabilityCause();
        }
        return IoUring.isRecvMultishotEnabled() ? null : new UnsupportedOperationException("Linux is older than 6.0");
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        RingReceiveAllocator buffers = new RingReceiveAllocator();
        IoHandlerFactory netty = IoUringIoHandler.newFactory(new IoUringIoHandlerConfig().setCqSize(COMPLETIONS_MAX));
        return VertxInternals.ioUring(executor -> new RingHandler(netty.newHandler(executor), buffers), buffers);
    }
}
