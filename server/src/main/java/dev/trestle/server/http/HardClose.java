package dev.trestle.server.http;

import io.netty.channel.Channel;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Ends a connection whose client takes nothing any more. Vert.x would first wait for it to take what has been written,
 * hence the reach below it.
 */
final class HardClose {
    private HardClose() {}

    static void close(HttpConnection connection) {
        if (connection instanceof ConnectionBase base) {
            Channel.Unsafe socket = base.channel().unsafe();
            socket.close(socket.voidPromise());
        } else {
            connection.close();
        }
    }
}
