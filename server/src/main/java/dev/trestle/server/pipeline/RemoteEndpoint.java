package dev.trestle.server.pipeline;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;

/**
 * The remote endpoint of a connection.
 *
 * @param address an IP literal; empty if unknown
 * @param tls whether the connection is encrypted
 */
public record RemoteEndpoint(String address, int port, boolean tls) {

    public static RemoteEndpoint of(HttpConnection connection) {
        SocketAddress remote = connection.remoteAddress();
        return remote == null
                ? new RemoteEndpoint("", 0, connection.isSsl())
                : new RemoteEndpoint(remote.hostAddress(), remote.port(), connection.isSsl());
    }
}
