package dev.trestle.blob;

/**
 * A piece of a content that lies in one place.
 *
 * @param block the id under which it was put, empty when it was not put as a block
 * @param crc64 of its bytes
 */
record Part(String block, long length, long crc64, Place place) {

    /** In a row, or in the content store. */
    sealed interface Place {}

    /** The bytes themselves. */
    record Inline(byte[] bytes) implements Place {}

    record Stored(String name) implements Place {}
}
