package dev.trestle.server.http;

import dev.trestle.model.Ticks;
import dev.trestle.server.pipeline.HeaderNames;
import dev.trestle.server.pipeline.Response;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.InstantSource;
import java.util.Map;

/** Writes responses to sockets, with the headers that every response has. Shared by all event loops. */
final class ResponseWriter {
    private final InstantSource clock;
    private final boolean sendsFiles;
    private volatile DateHeader date = new DateHeader(-1, "");

    private record DateHeader(long second, String text) {}

    /** @param sendsFiles whether the transport supports sendfile, which costs less than reading the file */
    ResponseWriter(InstantSource clock, boolean sendsFiles) {
        this.clock = clock;
        this.sendsFiles = sendsFiles;
    }

    /**
     * Writes a response: its head, and its body by the sender.
     *
     * @return completes when all of the response was written to the socket, or fails; the body is closed by then
     */
    Future<Void> write(HttpServerRequest http, Response response, BodySender sender) {
        HttpServerResponse out = http.response();
        if (out.closed() || out.ended()) {
            response.discard();
            return Future.failedFuture("the client closed the connection");
        }
        writeHead(http, response);
        boolean head = http.method().name().equals("HEAD");
        long length = response.body().length();
        if (hasNoBody(response.status()) || (head && response.status() >= HttpResponseStatus.BAD_REQUEST.code())) {
            if (length > 0) {
                // Clients would take it for the type of the resource.
                out.headers().remove(HeaderNames.of("Content-Type"));
            }
            return sender.sendNothing();
        }
        out.putHeader(HttpFrontEnd.CONTENT_LENGTH, Long.toString(head ? response.contentLength() : length));
        if (head || length == 0) {
            return sender.sendNothing();
        }
        return sender.send(sendsFiles && !http.isSSL() && http.version() != HttpVersion.HTTP_2);
    }

    /** Whether responses of this status have neither a body nor a length. */
    private static boolean hasNoBody(int status) {
        return status == 204 || status == 304;
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
        headers.add(HeaderNames.of("Server"), Response.SERVER).add(HeaderNames.of("Date"), dateHeader());
    }

    /** Returns the Date header, which is formatted once per second. */
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
