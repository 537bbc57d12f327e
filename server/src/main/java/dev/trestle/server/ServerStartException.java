package dev.trestle.server;

/** The server cannot start, for a reason that the message tells a person. */
public final class ServerStartException extends RuntimeException {
    public ServerStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
