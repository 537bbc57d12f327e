package dev.trestle.server.http;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.protocol.Documents;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes requests off the socket, waits for their bodies within the limits, and writes the answers. Runs on event loops,
 * which never block; an answer that completes elsewhere is carried back to the loop its connection belongs to.
 */
final class HttpFrontEnd {
    private static final String SERVER = "Trestle";

    private final Vertx vertx;
    private final RequestPipeline pipeline;
    private final ErrorRenderer errors;
    private final Accounts accounts;
    private final RequestIds ids;
    private final InstantSource clock;
    private final AtomicLong bufferedBytes = new AtomicLong();
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile DateHeader date = new DateHeader(-1, "");

    private record DateHeader(long second, String text) {}

    HttpFrontEnd(
            Vertx vertx,
            RequestPipeline pipeline,
            ErrorRenderer errors,
            Accounts accounts,
            RequestIds ids,
            InstantSource clock) {
        this.vertx = vertx;
        this.pipeline = pipeline;
        this.errors = errors;
        this.accounts = accounts;
        this.ids = ids;
        this.clock = clock;
    }

    /** Requests that have begun and are not answered yet. */
    int underWay() {
        return underWay.get();
    }

    void handle(HttpServerRequest http) {
        underWay.incrementAndGet();
        http.response().endHandler(done -> underWay.decrementAndGet());
        http.response().exceptionHandler(lost -> {});
        http.exceptionHandler(lost -> {});
        String id = ids.next();
        Request request;
        try {
            request = new Request(pipeline.service(), id, http, Request.address(http, accounts));
        } catch (StorageException e) {
            refuse(http, id, e);
            return;
        }
        String declared = http.getHeader("Content-Length");
        boolean chunked = http.getHeader("Transfer-Encoding") != null;
        if (!chunked && (declared == null || declared.equals("0"))) {
            answer(http, request);
            return;
        }
        long expected = declared == null ? -1 : parseLength(declared);
        if (expected > Limits.BODY_BYTES_MAX) {
            refuse(http, request, StorageError.REQUEST_BODY_TOO_LARGE);
            return;
        }
        new Body(http, request, (int) expected).start();
    }

    private static long parseLength(String declared) {
        try {
            return Long.parseLong(declared);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    /** A body on its way in. Lives on the connection's event loop. */
    private final class Body {
        private final HttpServerRequest http;
        private final Request request;
        private byte[] bytes;
        private int length;
        private long reserved;
        private long timer = -1;
        private boolean over;

        Body(HttpServerRequest http, Request request, int expected) {
            this.http = http;
            this.request = request;
            this.bytes = new byte[Math.max(expected, 0)];
        }

        void start() {
            if (!reserve(bytes.length)) {
                return;
            }
            http.handler(this::chunk);
            http.endHandler(end -> finish());
            http.exceptionHandler(lost -> release());
        }

        private boolean reserve(long more) {
            reserved += more;
            if (bufferedBytes.addAndGet(more) > HttpLimits.BUFFERED_BYTES_MAX) {
                stop(StorageError.SERVER_BUSY);
                return false;
            }
            return true;
        }

        private void chunk(Buffer chunk) {
            if (over) {
                return;
            }
            int total = length + chunk.length();
            if (total > Limits.BODY_BYTES_MAX) {
                stop(StorageError.REQUEST_BODY_TOO_LARGE);
                return;
            }
            if (total > bytes.length) {
                int grown = Math.min(Limits.BODY_BYTES_MAX, Math.max(total, bytes.length * 2));
                if (!reserve(grown - bytes.length)) {
                    return;
                }
                bytes = java.util.Arrays.copyOf(bytes, grown);
            }
            chunk.getBytes(bytes, length);
            length = total;
            if (timer < 0) {
                // Bodies almost always come whole; only one that does not needs watching.
                timer = vertx.setTimer(HttpLimits.BODY_TIME_MAX.toMillis(), late -> {
                    release();
                    http.connection().close();
                });
            }
        }

        private void finish() {
            if (!over) {
                request.body(bytes, 0, length);
                HttpFrontEnd.this.answer(http, request);
            }
            release();
        }

        private void stop(StorageError error) {
            release();
            refuse(http, request, error);
        }

        private void release() {
            over = true;
            if (timer >= 0) {
                vertx.cancelTimer(timer);
                timer = -1;
            }
            bufferedBytes.addAndGet(-reserved);
            reserved = 0;
        }
    }

    private void answer(HttpServerRequest http, Request request) {
        Context context = vertx.getOrCreateContext();
        pipeline.answer(request).whenComplete((response, impossible) -> {
            if (Vertx.currentContext() == context) {
                write(http, response);
            } else {
                context.runOnContext(hop -> write(http, response));
            }
        });
    }

    private void refuse(HttpServerRequest http, Request request, StorageError error) {
        discardRest(http);
        StorageException refusal = new StorageException(error);
        Response response = errors.render(request, refusal).header("x-ms-request-id", request.id());
        request.header("x-ms-version")
                .filter(RequestPipeline::isVersion)
                .ifPresent(version -> response.header("x-ms-version", version));
        write(http, response);
    }

    private void refuse(HttpServerRequest http, String id, StorageException refusal) {
        discardRest(http);
        write(http, errors.renderEarly(id, refusal).header("x-ms-request-id", id));
    }

    /** Reads on without keeping anything, so that a client still sending gets to read why it should not. */
    private static void discardRest(HttpServerRequest http) {
        long[] discarded = {0};
        http.handler(chunk -> {
            discarded[0] += chunk.length();
            if (discarded[0] > HttpLimits.DISCARDED_BYTES_MAX) {
                http.connection().close();
            }
        });
        http.endHandler(end -> {});
    }

    private void write(HttpServerRequest http, Response response) {
        HttpServerResponse out = http.response();
        if (out.closed() || out.ended()) {
            return;
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
            out.end();
            return;
        }
        out.putHeader("Content-Length", Integer.toString(response.bodyLength()));
        ByteBuf body = Unpooled.wrappedBuffer(response.body(), 0, response.bodyLength());
        if (http.method().name().equals("HEAD")) {
            out.end();
        } else {
            out.end(BufferInternal.buffer(body));
        }
    }

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
