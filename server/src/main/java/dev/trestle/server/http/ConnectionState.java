package dev.trestle.server.http;

import dev.trestle.server.admission.ConnectionLimiter;
import dev.trestle.server.pipeline.RemoteEndpoint;
import dev.trestle.server.sockets.VertxInternals;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** A connection: its requests in flight and the time of its last activity. Belongs to an event loop. */
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

    /** The request in flight over HTTP/1.1, which allows one at a time. */
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

    /** Counts a request that Vert.x has decoded; returns whether its body is already known to be malformed. */
    boolean countDecoded() {
        return decodeFailures.handle();
    }

    /** Whether an ambiguous message was received; later messages must not be processed. */
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

    /** Begins a request; returns false if the connection was evicted, so that the request must be dropped. */
    boolean begin() {
        if (isIdle() && !slot.begin()) {
            return false;
        }
        inFlight++;
        return true;
    }

    /** Sets the request that is in flight. */
    void serving(Exchange exchange, HttpServerRequest http) {
        if (http.version() != HttpVersion.HTTP_2) {
            current = exchange;
            if (inputEnded) {
                exchange.inputEnded();
            }
        }
    }

    /** Ends a request; its client may not have read all of the response. */
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

    /** The client has read some of a response, or can read something new. */
    void progressed() {
        waitingSinceNanos = context.now();
    }

    /** Whether the client has closed its side and has no request in flight, so that no request can follow. */
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

    /** Closes the connection if it exceeds a time limit: idle, or with a client that reads nothing of a response. */
    void expire(long now) {
        if (current != null && current.fileMoved()) {
            waitingSinceNanos = now;
        }
        // A connection is idle until a request is complete, however many bytes of one arrive.
        boolean idle =
                isIdle() && now - lastActiveNanos > context.times().idle().toNanos();
        boolean stalled = responsesWaiting > 0
                && now - waitingSinceNanos > context.times().response().toNanos();
        // An evicted connection was already closed, but close() waits until the client has read what was written.
        if (stalled || slot.isEvicted()) {
            VertxInternals.closeNow(connection);
        } else if (idle) {
            connection.close();
        }
    }
}
