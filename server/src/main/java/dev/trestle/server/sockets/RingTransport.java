package dev.trestle.server.sockets;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.vertx.core.impl.transports.IoUringTransport;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.transport.Transport;
import org.jspecify.annotations.Nullable;

/** io_uring as Vert.x has it, with what {@link RingHandler} mends. */
final class RingTransport implements Transport {
    static final Transport INSTANCE = new RingTransport();

    /** Completions that may wait at once, the most that there can be: several for each connection of an event loop. */
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

    /** Reads that go on came with Linux 6.0; what is older has rings too, but less room for them and more faults. */
    @Override
    public @Nullable Throwable unavailabilityCause() {
        if (!IoUring.isAvailable()) {
            return IoUring.unavailabilityCause();
        }
        return IoUring.isRecvMultishotEnabled() ? null : new UnsupportedOperationException("Linux is older than 6.0");
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        RingBuffers buffers = new RingBuffers();
        return new IoUringTransport() {
            @Override
            public IoHandlerFactory ioHandlerFactory() {
                IoHandlerFactory factory =
                        IoUringIoHandler.newFactory(new IoUringIoHandlerConfig().setCqSize(COMPLETIONS_MAX));
                return executor -> new RingHandler(factory.newHandler(executor), buffers);
            }

            /** It can, through a pipe and by another thread of the kernel's, which is slower than to read them. */
            @Override
            public boolean supportFileRegion() {
                return false;
            }

            @Override
            public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
                super.configure(config, domainSocket, bootstrap);
                bootstrap.childOption(ChannelOption.RECVBUF_ALLOCATOR, buffers);
            }
        };
    }
}
