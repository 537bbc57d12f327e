package dev.trestle.blob;

/**
 * A part of a content, stored in one place.
 *
 * @param block the id of its block; empty if it was not put as a block
 * @param crc64 of its bytes
 */
record Part(String block, long length, long crc64, Place place) {

    /** A row, or the content store. */
    sealed interface Place {}

    /** Bytes in the row of the part. */
    record Inline(byte[] bytes) implements Place {}

    record Stored(String name) implements Place {}
}
