package dev.trestle.server.sockets;

import io.vertx.core.transport.Transport;
import java.util.Locale;

/** How sockets are got at. */
public enum SocketTransport {
    /** The first of the others that this system has. */
    AUTO,
    IO_URING,
    EPOLL,
    NIO;

    /** What Vert.x is to use; which this system may not have, unless the choice is left open. */
    public Transport choose() {
        return switch (this) {
            case AUTO -> first(RingTransport.INSTANCE, Transport.EPOLL);
            case IO_URING -> RingTransport.INSTANCE;
            case EPOLL -> Transport.EPOLL;
            case NIO -> Transport.NIO;
        };
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
