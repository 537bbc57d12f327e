package dev.trestle.server.auth.jwt;

/** A token that is not good. */
public final class InvalidTokenException extends Exception {
    private static final long serialVersionUID = 1;

    private final String why;

    InvalidTokenException(String why) {
        super(why, null, false, false);
        this.why = why;
    }

    /** A sentence that holds nothing of the token. */
    public String why() {
        return why;
    }
}
