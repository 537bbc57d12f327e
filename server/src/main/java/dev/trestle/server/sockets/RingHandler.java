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
 * Wraps Netty's io_uring handler with two fixes for servers with hostile clients:
 *
 * <ul> <li>An error in one connection, such as out of direct memory, closes that connection instead of ending the
 * event loop with all its connections. <li>A connection that was reset with unread data is closed after the data
 * is read. The kernel reports the hang-up once; Netty defers it while data is left and then waits for a second
 * report. Here the event is repeated after each read.
 * </ul>
 */
final class RingHandler implements IoHandler {
    private static final Logger LOG = LoggerFactory.getLogger(RingHandler.class);

    /** Constants of the kernel's interface, which does not change. */
    private static final byte POLL = 6;

    private static final byte RECEIVE = 27;
    private static final int HUNG_UP = 0x2000;

    private final IoHandler netty;
    private final RingReceiveAllocator buffers;

    RingHandler(IoHandler netty, RingReceiveAllocator buffers) {
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
                        ? new GuardedSocket(socket, unsafe)
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

    /** A Netty socket with both fixes. */
    private final class GuardedSocket implements IoUringIoHandle {
        private final IoUringIoHandle socket;
        private final Channel.Unsafe unsafe;
        private boolean hungUp;

        GuardedSocket(IoUringIoHandle socket, Channel.Unsafe unsafe) {
            this.socket = socket;
            this.unsafe = unsafe;
        }

        @Override
        public void handle(IoRegistration registration, IoEvent ioEvent) {
            // Read before it is handled, because the next event reuses the object.
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
                // Logged at debug level, because clients can cause it at will; other transports do not log it either.
                LOG.debug("Connection closed: reason=out of direct memory", e);
                closeConnection();
            } catch (RuntimeException | Error e) {
                LOG.warn("Connection closed: reason=unexpected error", e);
                closeConnection();
            }
        }

        /** Closes a connection, but not a listening socket. */
        private void closeConnection() {
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
