package dev.trestle.server.http;

import dev.trestle.server.protocol.Documents;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.time.InstantSource;
import java.util.Map;

/** Puts answers on the socket, with the headers that every one has. Shared by all event loops. */
final class ResponseWriter {
    private static final String SERVER = "Trestle";

    private final InstantSource clock;
    private volatile DateHeader date = new DateHeader(-1, "");

    private record DateHeader(long second, String text) {}

    ResponseWriter(InstantSource clock) {
        this.clock = clock;
    }

    /** Writes the answer, or releases it where nobody waits; the future completes when it is on its way. */
    Future<Void> write(HttpServerRequest http, Response response) {
        HttpServerResponse out = http.response();
        if (out.closed() || out.ended()) {
            response.release();
            return Future.succeededFuture();
        }
        out.setStatusCode(response.status());
        for (Map.Entry<String, String> header : response.headers()) {
            out.putHeader(header.getKey(), header.getValue());
        }
        out.putHeader("Server", SERVER).putHeader("Date", dateHeader());
        if (response.bodyLength() == 0) {
            if (response.status() != 204) {
                out.putHeader("Content-Length", "0");
            }
            return out.end();
        }
        out.putHeader("Content-Length", Integer.toString(response.bodyLength()));
        if (http.method().name().equals("HEAD")) {
            response.release();
            return out.end();
        }
        // Vert.x takes no part in counting who uses a buffer.
        return out.end(BufferInternal.buffer(response.body())).onComplete(sent -> response.release());
    }

    /** The time, written out once a second. */
    private String dateHeader() {
        long second = clock.millis() / 1000;
        DateHeader current = date;
        if (current.second != second) {
            current = new DateHeader(second, Documents.HTTP_DATE.format(clock.instant()));
            date = current;
        }
        return current.text;
    }
}
