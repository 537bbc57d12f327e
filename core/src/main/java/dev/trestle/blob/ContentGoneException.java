package dev.trestle.blob;

/** The content that a blob had is no more: either the blob has another by now, or something is broken. */
final class ContentGoneException extends RuntimeException {
    ContentGoneException() {
        super("a part of a content is missing", null, false, false);
    }
}
