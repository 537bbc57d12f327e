package dev.trestle.server.auth.jwt;

/** A text that should be a JSON object and is none, or not a sensible one. */
final class MalformedJsonException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedJsonException() {
        super("malformed JSON", null, false, false);
    }
}
