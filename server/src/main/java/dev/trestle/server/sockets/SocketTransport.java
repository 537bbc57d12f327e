package dev.trestle.server.sockets;

import io.vertx.core.transport.Transport;
import java.util.Locale;

/** The I/O transport: io_uring, epoll or NIO. */
public enum SocketTransport {
    /** The first of the others that the system supports. */
    AUTO,
    IO_URING,
    EPOLL,
    NIO;

    /** Returns the transport for Vert.x. The system may not support it, except with {@link #AUTO}. */
    public Transport choose() {
        return switch (this) {
            case AUTO -> first(RingTransport.INSTANCE, Transport.EPOLL);
            case IO_URING -> RingTransport.INSTANCE;
            case EPOLL -> Transport.EPOLL;
            case NIO -> Transport.NIO;
        };
    }

    /**
     * Returns the transport for a service whose bodies are large. {@link #AUTO} prefers epoll for it: the kernel
     * sends files without copying them, which takes less CPU time than io_uring saves.
     */
    public Transport chooseForFiles() {
        return this == AUTO ? first(Transport.EPOLL) : choose();
    }

    private static Transport first(Transport... bestFirst) {
        for (Transport transport : bestFirst) {
            if (transport.available()) {
                return transport;
            }
        }
        return Transport.NIO;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
