package dev.trestle.blob;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * A complete upload that no blob refers to yet: in memory if it is small, otherwise durable in the content store.
 */
public final class StagedContent {
    /** The maximum size of a content in memory. */
    public static final int IN_MEMORY_BYTES_MAX = BlobContents.INLINE_BYTES_MAX;

    private final long length;
    private final byte[] md5;
    private final long crc64;
    private final Part.Place place;
    private final Optional<Content> content;

    /**
     * A content of the store that no blob refers to yet.
     *
     * @param owner the key of the blob that will refer to it
     */
    record Content(long container, String name, byte[] owner) {}

    StagedContent(long length, byte[] md5, long crc64, Part.Place place, Optional<Content> content) {
        this.length = length;
        this.md5 = md5;
        this.crc64 = crc64;
        this.place = place;
        this.content = content;
    }

    /** Stages bytes in memory. */
    public static StagedContent inMemory(byte[] bytes, int offset, int length) {
        if (length > BlobContents.INLINE_BYTES_MAX) {
            throw new IllegalArgumentException("Too many bytes for a row: " + length);
        }
        Digests digests = new Digests();
        digests.update(ByteBuffer.wrap(bytes, offset, length));
        return digests.staged(new Part.Inline(Arrays.copyOfRange(bytes, offset, offset + length)), Optional.empty());
    }

    /** Returns the content in the store; empty if the bytes are in memory. */
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
