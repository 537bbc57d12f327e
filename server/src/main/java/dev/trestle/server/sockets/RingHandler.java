package dev.trestle.server.sockets;

import io.netty.channel.Channel;
import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.uring.IoUringIoEvent;
import io.netty.channel.uring.IoUringIoHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Netty's way to io_uring, with two things mended that matter to a server that must stay up whatever its clients do:
 *
 * <ul>
 *   <li>An error out of one connection, as when no memory is left to read into, would end the event loop and all its
 *       connections with it. Here it ends the one.
 *   <li>A connection that was reset while something it had sent was still to be read would never be noticed to be gone:
 *       the kernel tells of it once, Netty leaves it for when it has read what there is, and then waits for the kernel.
 *       Here it is told again after each read.
 * </ul>
 */
final class RingHandler implements IoHandler {
    private static final Logger LOG = LoggerFactory.getLogger(RingHandler.class);

    /** Of the kernel's interface, which does not change. */
    private static final byte POLL = 6;

    private static final byte RECEIVE = 27;
    private static final int HUNG_UP = 0x2000;

    private final IoHandler netty;
    private final RingBuffers buffers;

    RingHandler(IoHandler netty, RingBuffers buffers) {
        this.netty = netty;
        this.buffers = buffers;
    }

    @Override
    public void initialize() {
        netty.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        return netty.run(context);
    }

    @Override
    public void prepareToDestroy() {
        netty.prepareToDestroy();
    }

    @Override
    public void destroy() {
        netty.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return netty.register(
                handle instanceof IoUringIoHandle socket && handle instanceof Channel.Unsafe unsafe
                        ? new Mended(socket, unsafe)
                        : handle);
    }

    @Override
    public void wakeup() {
        netty.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return netty.isCompatible(handleType);
    }

    /** A socket of Netty's. */
    private final class Mended implements IoUringIoHandle {
        private final IoUringIoHandle socket;
        private final Channel.Unsafe unsafe;
        private boolean hungUp;

        Mended(IoUringIoHandle socket, Channel.Unsafe unsafe) {
            this.socket = socket;
            this.unsafe = unsafe;
        }

        @Override
        public void handle(IoRegistration registration, IoEvent ioEvent) {
            // Looked at before it is handled: the next one is written over it.
            IoUringIoEvent event = (IoUringIoEvent) ioEvent;
            int result = event.res();
            boolean received = event.opcode() == RECEIVE && result > 0;
            hungUp |= event.opcode() == POLL && result > 0 && (result & HUNG_UP) != 0;
            try {
                socket.handle(registration, event);
                if (hungUp && received) {
                    socket.handle(registration, new IoUringIoEvent(HUNG_UP, 0, POLL, 0L));
                }
            } catch (OutOfMemoryError e) {
                // Clients can bring this about at will; with the other transports it is not told either.
                LOG.debug("A connection is closed for want of memory", e);
                giveUp();
            } catch (RuntimeException | Error e) {
                LOG.warn("A connection is closed", e);
                giveUp();
            }
        }

        /** Closes a connection, but never the socket that listens for them. */
        private void giveUp() {
            if (unsafe.remoteAddress() != null) {
                close();
            }
        }

        @Override
        public void registered() {
            buffers.opened();
            socket.registered();
        }

        @Override
        public void unregistered() {
            buffers.closed();
            socket.unregistered();
        }

        @Override
        public void close() {
            unsafe.close(unsafe.voidPromise());
        }
    }
}
