package dev.trestle.server.auth.jwt;

/** Thrown for a token that is not valid. */
public final class InvalidTokenException extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;

    InvalidTokenException(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    /** Returns a sentence that contains no part of the token. */
    public String reason() {
        return reason;
    }
}
