package dev.trestle.blob;

/** The checksum of a content differs. Must not be retried, unlike {@link ContentGoneException}. */
final class ContentDamagedException extends RuntimeException {
    ContentDamagedException(long container, String content, long length) {
        super(String.format(
                "The checksum of a content differs; run trestle scrub to find its blob: container=%016x content=%s bytes=%d",
                container, content, length));
    }
}
