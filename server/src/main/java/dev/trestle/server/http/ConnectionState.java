package dev.trestle.server.http;

import io.vertx.core.http.HttpConnection;
import org.jspecify.annotations.Nullable;

/** What is known of a connection, by the requests that come on it. Belongs to an event loop. */
final class ConnectionState {
    final RemoteEndpoint client;
    final HeaderBudget heads;
    final BodyDecodeFailures decodeFailures;
    private final ConnectionLimiter.Slot slot;
    long lastActiveNanos = System.nanoTime();
    int bodiesUnderWay;
    private int underWay;
    private int answersWaiting;
    boolean inputEnded;

    /** Whether there is more than one way to read what it sent, so that nothing behind that is a request. */
    boolean refused;

    /** What comes in, and what goes out of a file; of HTTP/1.1 only, where there is one at a time. */
    @Nullable
    IncomingBody incoming;

    @Nullable
    SendProgress sending;

    private long waitingSinceNanos;

    /** The request that is answered now; of HTTP/1.1 only, where there is one at a time. */
    @Nullable
    Exchange exchange;

    ConnectionState(HttpConnection connection, ServerLoad load, ConnectionLimiter.Slot slot) {
        this.slot = slot;
        this.client = RemoteEndpoint.of(connection);
        this.heads = HeaderBudget.of(connection, load);
        this.decodeFailures = BodyDecodeFailures.of(connection, () -> refuseBody(connection));
    }

    /** The body of the request that is answered now cannot be decoded. */
    private void refuseBody(HttpConnection connection) {
        refused = true;
        if (exchange == null || !exchange.refuseBody()) {
            connection.close();
        }
    }

    /** A request begins; false if the connection was evicted, so that the request must not be served. */
    boolean begin() {
        if (isIdle() && !slot.begin()) {
            return false;
        }
        underWay++;
        return true;
    }

    /** A request has ended, apart from what the client has yet to take of its answer. */
    void end() {
        underWay--;
        lastActiveNanos = System.nanoTime();
        becomeIdle();
    }

    /** There is an answer that the client may take slowly. */
    void beginAnswer() {
        answersWaiting++;
    }

    void endAnswer() {
        answersWaiting--;
        becomeIdle();
    }

    boolean isServing() {
        return underWay > 0;
    }

    private boolean isIdle() {
        return underWay == 0 && answersWaiting == 0;
    }

    private void becomeIdle() {
        if (isIdle()) {
            slot.end();
        }
    }

    /** The connection is closed. */
    void leave() {
        heads.release();
        slot.leave();
    }

    /** The client has taken some of an answer, or there is something new for it to take. */
    void progressed() {
        waitingSinceNanos = System.nanoTime();
    }

    /** The client has closed its side. */
    void endInput(HttpConnection connection) {
        inputEnded = true;
        // Nothing is left to answer, or what there is can never become a whole request.
        if (underWay == 0 || bodiesUnderWay > 0) {
            connection.close();
        } else if (incoming != null) {
            incoming.inputEnded();
        }
    }

    /** Closes the connection if nothing has come of it, or been taken on it, for too long. */
    void lookAround(HttpConnection connection, long now, TimeLimits times) {
        if (sending != null && sending.moved()) {
            waitingSinceNanos = now;
        }
        // A sender of single bytes keeps a connection from being idle, but no request ever comes of it.
        boolean idle = isIdle() && now - lastActiveNanos > times.idle().toNanos();
        boolean stalled =
                answersWaiting > 0 && now - waitingSinceNanos > times.answer().toNanos();
        // What is evicted was told to close already, and waits for its client.
        if (stalled || slot.isEvicted()) {
            HardClose.close(connection);
        } else if (idle) {
            connection.close();
        }
    }
}
