package dev.trestle.server.sockets;

import java.util.stream.Stream;

/** The transports that this system has, for parameterized tests. */
public final class SystemTransports {
    private SystemTransports() {}

    public static Stream<SocketTransport> present() {
        return Stream.of(SocketTransport.values()).filter(SystemTransports::isPresent);
    }

    public static Stream<SocketTransport> missing() {
        return Stream.of(SocketTransport.values()).filter(transport -> !isPresent(transport));
    }

    /** Those that tell how much of a file the client has read. */
    public static Stream<SocketTransport> withSendProgress() {
        return Stream.of(SocketTransport.IO_URING, SocketTransport.EPOLL).filter(SystemTransports::isPresent);
    }

    /** Those that have the kernel send files. */
    public static Stream<SocketTransport> withSendfile() {
        return Stream.of(SocketTransport.EPOLL, SocketTransport.NIO).filter(SystemTransports::isPresent);
    }

    private static boolean isPresent(SocketTransport transport) {
        return transport.choose().available();
    }
}
