package dev.trestle.server.http;

import dev.trestle.model.Ticks;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.IntSupplier;

/** Puts answers on the socket, with the headers that every one has. Shared by all event loops. */
final class ResponseWriter {
    static final String SERVER = "Trestle";

    private final InstantSource clock;
    private final boolean sendsFiles;
    private volatile DateHeader date = new DateHeader(-1, "");

    private record DateHeader(long second, String text) {}

    /** @param sendsFiles whether the kernel can be told to send a file, at less cost than to read it first */
    ResponseWriter(InstantSource clock, boolean sendsFiles) {
        this.clock = clock;
        this.sendsFiles = sendsFiles;
    }

    /** Writes the answer; the future completes when it is on its way. */
    Future<Void> write(HttpServerRequest http, Response response) {
        HttpServerResponse out = http.response();
        if (out.closed() || out.ended()) {
            return Future.succeededFuture();
        }
        writeHead(http, response);
        boolean head = http.method().name().equals("HEAD");
        if (hasNoBody(response.status()) || (head && response.status() >= HttpResponseStatus.BAD_REQUEST.code())) {
            if (response.bodyLength() > 0) {
                // It would be taken for that of the resource itself.
                out.headers().remove("Content-Type");
            }
            return out.end();
        }
        out.putHeader(
                HeaderNames.of("Content-Length"),
                Long.toString(head ? response.contentLength() : response.bodyLength()));
        return head || response.bodyLength() == 0 ? out.end() : out.end(BufferInternal.buffer(response.body()));
    }

    /** Whether answers of this status end with their head, which then does not tell of a length either. */
    private static boolean hasNoBody(int status) {
        return status == 204 || status == 304;
    }

    /** Writes the answer with a body that is fetched meanwhile; the future completes when all of it is on its way. */
    Future<Void> writeStream(HttpServerRequest http, Response response, OutgoingBody body, StreamedAnswer answer) {
        HttpServerResponse out = http.response();
        if (out.closed() || out.ended()) {
            response.discard();
            return Future.failedFuture("the client is gone");
        }
        writeHead(http, response);
        if (hasNoBody(response.status())) {
            return answer.sendNothing();
        }
        out.putHeader(HeaderNames.of("Content-Length"), Long.toString(body.length()));
        if (body.length() == 0 || http.method().name().equals("HEAD")) {
            return answer.sendNothing();
        }
        // Elsewhere Vert.x would read the file itself, on the event loop.
        boolean plain = sendsFiles && !http.isSSL() && http.version() != HttpVersion.HTTP_2;
        return plain ? body.file().map(answer::sendFile).orElseGet(answer::send) : answer.send();
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
        writeHead(http, response);
        out.putHeader(HeaderNames.of("Content-Length"), Integer.toString(response.bodyLength()));
        return LargeAnswer.write(out, response.body(), pieceBytes, progress).onSuccess(sent -> response.giveUpBody());
    }

    private void writeHead(HttpServerRequest http, Response response) {
        HttpServerResponse out = http.response();
        out.setStatusCode(response.status());
        if (http.version() != HttpVersion.HTTP_2) {
            response.reason().ifPresent(out::setStatusMessage);
        }
        MultiMap headers = out.headers();
        for (Map.Entry<String, String> header : response.headers()) {
            headers.add(HeaderNames.of(header.getKey()), header.getValue());
        }
        headers.add(HeaderNames.of("Server"), SERVER).add(HeaderNames.of("Date"), dateHeader());
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
