package dev.trestle.server;

/** Thrown if the server cannot start; the message tells the operator why and what to do. */
public final class ServerStartException extends RuntimeException {
    public ServerStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
