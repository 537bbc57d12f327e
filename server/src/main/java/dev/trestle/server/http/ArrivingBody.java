package dev.trestle.server.http;

import dev.trestle.model.StorageException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** A body on its way into memory, of a request that is served when all of it has come. Belongs to an event loop. */
final class ArrivingBody {
    private final Exchange exchange;
    private final HttpServerRequest http;
    private final ConnectionState peer;
    private final RequestMemory memory;
    private final InFlightRequests underWay;
    private final long startNanos = System.nanoTime();
    private boolean over;

    ArrivingBody(
            Exchange exchange,
            HttpServerRequest http,
            ConnectionState peer,
            RequestMemory memory,
            InFlightRequests underWay) {
        this.exchange = exchange;
        this.http = http;
        this.peer = peer;
        this.memory = memory;
        this.underWay = underWay;
    }

    /** Reads on without keeping anything, so that a client still sending gets to read why it should not. */
    static void discard(HttpServerRequest http) {
        if (http.isEnded()) {
            return;
        }
        long[] discarded = {0};
        http.handler(chunk -> {
            discarded[0] += chunk.length();
            if (discarded[0] > HttpLimits.DISCARDED_BYTES_MAX) {
                http.connection().close();
            }
        });
        http.endHandler(end -> {});
        http.resume();
    }

    void start() {
        peer.bodiesUnderWay++;
        underWay.begin(this);
        http.handler(this::chunk);
        http.endHandler(end -> finish());
        http.exceptionHandler(lost -> {
            end();
            exchange.abandon();
        });
    }

    private void chunk(Buffer chunk) {
        if (over) {
            return;
        }
        try {
            memory.add(chunk);
        } catch (StorageException e) {
            end();
            exchange.refuse(e.error());
        }
    }

    private void finish() {
        if (!over) {
            end();
            exchange.answerWithBody();
        }
    }

    boolean isLate(long now, long nanosMax) {
        return now - startNanos > nanosMax;
    }

    /** It took too long; there is no telling what its sender is doing. */
    void expire() {
        end();
        http.connection().close();
    }

    /** No more of it is wanted. */
    void end() {
        if (!over) {
            over = true;
            underWay.end(this);
            peer.bodiesUnderWay--;
        }
    }
}
