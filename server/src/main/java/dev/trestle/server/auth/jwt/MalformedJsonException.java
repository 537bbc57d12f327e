package dev.trestle.server.auth.jwt;

/** Thrown for text that is not a valid JSON object. */
final class MalformedJsonException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedJsonException() {
        super("malformed JSON", null, false, false);
    }
}
