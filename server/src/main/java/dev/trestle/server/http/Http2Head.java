package dev.trestle.server.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;

/**
 * The whole head of a request over HTTP/2, in the memory for requests. Its stream, and with it the head, stays until
 * the client has sent all of its request too, however long ago that was answered; and a connection has many streams.
 * Belongs to an event loop.
 */
final class Http2Head {
    /** What HTTP/2 adds for each header. One byte on the wire may stand for a header that was sent before. */
    private static final int BYTES_OF_ENTRY = 32;

    private final ServerLoad load;
    private final long bytes;
    private final boolean admitted;
    private final Future<Void> sent;

    Http2Head(HttpServerRequest http, ServerLoad load) {
        this.load = load;
        this.bytes = bytes(http);
        this.admitted = load.reserve(bytes, bytes);
        this.sent = http.isEnded() ? Future.succeededFuture() : http.end();
    }

    private static long bytes(HttpServerRequest http) {
        long bytes = http.uri().length();
        for (Map.Entry<String, String> header : http.headers()) {
            bytes += header.getKey().length() + header.getValue().length() + BYTES_OF_ENTRY;
        }
        return bytes;
    }

    /** Whether there is room for it. It is counted in any case. */
    boolean isAdmitted() {
        return admitted;
    }

    /** The request is answered. */
    void answered() {
        sent.onComplete(over -> load.release(bytes));
    }
}
