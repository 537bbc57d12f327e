package dev.trestle.server.http;

/** Receives the body of a request from its connection, once. Belongs to an event loop. */
interface BodyReceiver {
    /**
     * Starts to receive.
     *
     * @param inputEnded whether the client has closed its side, so that only bytes already read can still arrive
     */
    void start(boolean inputEnded);

    /** The client has closed its side; what it sent before may still arrive. */
    void inputEnded();

    /** Whether the client takes longer than this to send what is missing. */
    boolean isLate(long nowNanos, long nanosMax);

    /** Stops receiving and frees the memory; the consumer gets this failure. Idempotent. */
    void fail(Throwable reason);
}
