package dev.trestle.blob;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Bytes that have arrived whole, durable where they are many, and that no blob holds yet. */
public final class StagedContent {
    /** Up to so many bytes need not go to the content store. */
    public static final int IN_MEMORY_BYTES_MAX = BlobContents.INLINE_BYTES_MAX;

    private final long length;
    private final byte[] md5;
    private final long crc64;
    private final Part.Place place;
    private final Optional<Content> content;

    /**
     * A content of the store that no blob holds yet.
     *
     * @param owner the key of the row that is to refer to it
     */
    record Content(long container, String name, byte[] owner) {}

    StagedContent(long length, byte[] md5, long crc64, Part.Place place, Optional<Content> content) {
        this.length = length;
        this.md5 = md5;
        this.crc64 = crc64;
        this.place = place;
        this.content = content;
    }

    /** Bytes that are few enough to be kept in a row. */
    public static StagedContent inMemory(byte[] bytes, int offset, int length) {
        if (length > BlobContents.INLINE_BYTES_MAX) {
            throw new IllegalArgumentException("too many to be kept in a row: " + length);
        }
        Digests digests = new Digests();
        digests.update(ByteBuffer.wrap(bytes, offset, length));
        return digests.staged(new Part.Inline(Arrays.copyOfRange(bytes, offset, offset + length)), Optional.empty());
    }

    /** What lies in the content store; empty where the bytes are in memory. */
    Optional<Content> content() {
        return content;
    }

    public long length() {
        return length;
    }

    public byte[] md5() {
        return md5.clone();
    }

    public long crc64() {
        return crc64;
    }

    Part part(String block) {
        return new Part(block, length, crc64, place);
    }
}
