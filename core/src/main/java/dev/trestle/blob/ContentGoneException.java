package dev.trestle.blob;

/**
 * The content of a blob is missing: either the blob was replaced, which a retry shows, or the store is damaged.
 */
final class ContentGoneException extends RuntimeException {
    ContentGoneException() {
        super("A part of a content is missing", null, false, false);
    }
}
