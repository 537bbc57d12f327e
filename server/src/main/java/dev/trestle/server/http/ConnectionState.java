package dev.trestle.server.http;

import dev.trestle.server.admission.ConnectionLimiter;
import dev.trestle.server.pipeline.RemoteEndpoint;
import dev.trestle.server.sockets.VertxInternals;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** One connection: its requests in flight, and when it was last active. Belongs to an event loop. */
final class ConnectionState {
    private final HttpConnection connection;
    private final TransportContext context;
    private final ConnectionLimiter.Slot slot;
    private final RemoteEndpoint remote;
    private final HeaderBudget headers;
    private final BodyDecodeFailures decodeFailures;
    private long lastActiveNanos;
    private long waitingSinceNanos;
    private int inFlight;
    private int responsesWaiting;
    private boolean inputEnded;
    private boolean refused;

    /** The request in progress on HTTP/1.1, where there is one at a time. */
    private @Nullable Exchange current;

    ConnectionState(HttpConnection connection, TransportContext context, ConnectionLimiter.Slot slot) {
        this.connection = connection;
        this.context = context;
        this.slot = slot;
        this.remote = RemoteEndpoint.of(connection);
        this.headers = HeaderBudget.of(connection, context.load());
        this.decodeFailures = BodyDecodeFailures.of(connection, this::bodyNotDecodable);
        this.lastActiveNanos = context.now();
        VertxInternals.limitReadAhead(connection);
        VertxInternals.allowHalfClose(connection, this::inputEnded);
    }

    RemoteEndpoint remote() {
        return remote;
    }

    HeaderBudget headers() {
        return headers;
    }

    /** Counts a request that Vert.x hands over; returns whether its body is already known to be broken. */
    boolean countDecoded() {
        return decodeFailures.handle();
    }

    /** Whether something ambiguous was received, so that nothing after it is taken for a request. */
    boolean isRefused() {
        return refused;
    }

    void refuse() {
        refused = true;
    }

    private void bodyNotDecodable() {
        refused = true;
        if (current == null || !current.refuseBody()) {
            connection.close();
        }
    }

    /** Begins a request; returns false if the connection was evicted, so that the request must not be served. */
    boolean begin() {
        if (isIdle() && !slot.begin()) {
            return false;
        }
        inFlight++;
        return true;
    }

    /** Notes the request that is now in progress. */
    void serving(Exchange exchange, HttpServerRequest http) {
        if (http.version() != HttpVersion.HTTP_2) {
            current = exchange;
            if (inputEnded) {
                exchange.inputEnded();
            }
        }
    }

    /** Ends a request, apart from the part of its response that the client has yet to read. */
    void end(Exchange exchange) {
        if (current == exchange) {
            current = null;
        }
        headers.responded();
        inFlight--;
        lastActiveNanos = context.now();
        becomeIdle();
    }

    long lastActiveNanos() {
        return lastActiveNanos;
    }

    /** Begins a response that the client may read slowly. */
    void beginResponse() {
        responsesWaiting++;
        progressed();
    }

    void endResponse() {
        responsesWaiting--;
        becomeIdle();
    }

    /** The client has read a part of a response, or there is something new for it to read. */
    void progressed() {
        waitingSinceNanos = context.now();
    }

    /** Whether the client has closed its side and has no request in flight, so that it will never ask again. */
    boolean isFinished() {
        return inputEnded && inFlight == 0;
    }

    private boolean isIdle() {
        return inFlight == 0 && responsesWaiting == 0;
    }

    private void becomeIdle() {
        if (isIdle()) {
            slot.end();
        }
    }

    /** The connection is closed. */
    void closed() {
        headers.release();
        slot.leave();
    }

    private void inputEnded() {
        inputEnded = true;
        if (inFlight == 0) {
            connection.close();
        } else if (current != null) {
            current.inputEnded();
        }
    }

    /** Closes the connection if it was idle, or its client read nothing, for too long. */
    void expire(long now) {
        if (current != null && current.fileMoved()) {
            waitingSinceNanos = now;
        }
        // A sender of single bytes keeps a connection busy, but no request ever comes of it.
        boolean idle =
                isIdle() && now - lastActiveNanos > context.times().idle().toNanos();
        boolean stalled = responsesWaiting > 0
                && now - waitingSinceNanos > context.times().answer().toNanos();
        // An evicted connection was closed already, and waits for its client.
        if (stalled || slot.isEvicted()) {
            VertxInternals.closeNow(connection);
        } else if (idle) {
            connection.close();
        }
    }
}
