package dev.trestle.server.http;

import dev.trestle.model.Ticks;
import dev.trestle.server.pipeline.HeaderNames;
import dev.trestle.server.pipeline.Response;
import dev.trestle.server.pipeline.ResponseBody;
import dev.trestle.server.sockets.VertxInternals;
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

    /** @param sendsFiles whether the kernel can send a file, which is cheaper than to read it first */
    ResponseWriter(InstantSource clock, boolean sendsFiles) {
        this.clock = clock;
        this.sendsFiles = sendsFiles;
    }

    /** Writes a response with a small body in memory; the future completes when it is on its way. */
    Future<Void> writeSmall(HttpServerRequest http, Response response) {
        HttpServerResponse out = http.response();
        if (out.closed() || out.ended()) {
            return Future.succeededFuture();
        }
        writeHead(http, response);
        boolean head = http.method().name().equals("HEAD");
        long length = response.buffered().length();
        if (hasNoBody(response.status()) || (head && response.status() >= HttpResponseStatus.BAD_REQUEST.code())) {
            if (length > 0) {
                // It would be taken for that of the resource itself.
                out.headers().remove(HeaderNames.of("Content-Type"));
            }
            return out.end();
        }
        out.putHeader(HttpFrontEnd.CONTENT_LENGTH, Long.toString(head ? response.contentLength() : length));
        return head || length == 0
                ? out.end()
                : out.end(VertxInternals.buffer(response.buffered().whole()));
    }

    /** Whether responses of this status end with their head, which then tells no length either. */
    private static boolean hasNoBody(int status) {
        return status == 204 || status == 304;
    }

    /** Writes a response whose body is sent in pieces; the future completes when all of it is on its way. */
    Future<Void> write(HttpServerRequest http, Response response, BodySender sender) {
        HttpServerResponse out = http.response();
        if (out.closed() || out.ended()) {
            response.discard();
            return Future.failedFuture("the client is gone");
        }
        writeHead(http, response);
        if (hasNoBody(response.status())) {
            return sender.sendNothing();
        }
        ResponseBody body = response.body();
        out.putHeader(HttpFrontEnd.CONTENT_LENGTH, Long.toString(body.length()));
        if (body.length() == 0 || http.method().name().equals("HEAD")) {
            return sender.sendNothing();
        }
        boolean plain = sendsFiles && !http.isSSL() && http.version() != HttpVersion.HTTP_2;
        return plain ? body.file().map(sender::sendFile).orElseGet(sender::send) : sender.send();
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

    /** The time, formatted once a second. */
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
