package dev.trestle.server.http;

import dev.trestle.model.Ticks;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.IntSupplier;

/** Puts answers on the socket, with the headers that every one has. Shared by all event loops. */
final class ResponseWriter {
    private static final String SERVER = "Trestle";

    private final InstantSource clock;
    private volatile DateHeader date = new DateHeader(-1, "");

    private record DateHeader(long second, String text) {}

    ResponseWriter(InstantSource clock) {
        this.clock = clock;
    }

    /** Writes the answer; the future completes when it is on its way. */
    Future<Void> write(HttpServerRequest http, Response response) {
        HttpServerResponse out = http.response();
        if (out.closed() || out.ended()) {
            return Future.succeededFuture();
        }
        writeHead(out, response);
        if (response.bodyLength() == 0) {
            if (response.status() != 204) {
                out.putHeader("Content-Length", "0");
            }
            return out.end();
        }
        out.putHeader("Content-Length", Integer.toString(response.bodyLength()));
        return http.method().name().equals("HEAD") ? out.end() : out.end(BufferInternal.buffer(response.body()));
    }

    /**
     * Writes an answer with a large body, which is kept until the client has taken it.
     *
     * @param pieceBytes how much of it may be handed over at once now
     * @param progress called whenever the client has taken some
     */
    Future<Void> writeLarge(HttpServerRequest http, Response response, IntSupplier pieceBytes, Runnable progress) {
        HttpServerResponse out = http.response();
        if (out.closed() || out.ended() || http.method().name().equals("HEAD")) {
            return write(http, response);
        }
        writeHead(out, response);
        out.putHeader("Content-Length", Integer.toString(response.bodyLength()));
        return LargeAnswer.write(out, response.body(), pieceBytes, progress);
    }

    private void writeHead(HttpServerResponse out, Response response) {
        out.setStatusCode(response.status());
        for (Map.Entry<String, String> header : response.headers()) {
            out.putHeader(header.getKey(), header.getValue());
        }
        out.putHeader("Server", SERVER).putHeader("Date", dateHeader());
    }

    /** The time, written out once a second. */
    private String dateHeader() {
        long second = clock.millis() / 1000;
        DateHeader current = date;
        if (current.second != second) {
            current = new DateHeader(second, Ticks.formatHttp(Ticks.of(clock.instant())));
            date = current;
        }
        return current.text;
    }
}
