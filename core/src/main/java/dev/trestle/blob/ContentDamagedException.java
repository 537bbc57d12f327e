package dev.trestle.blob;

/** A content is not what was written. Looking again does not help, unlike after {@link ContentGoneException}. */
final class ContentDamagedException extends RuntimeException {
    ContentDamagedException(long container, String content, long length) {
        super(String.format(
                "The checksum of a content differs; trestle scrub tells of which blob: container=%016x content=%s bytes=%d",
                container, content, length));
    }
}
