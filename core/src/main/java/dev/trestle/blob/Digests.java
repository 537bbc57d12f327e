package dev.trestle.blob;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/** Computes the MD5 and the CRC-64 of a stream of bytes. Not thread-safe. */
final class Digests {
    private final MessageDigest md5 = md5();
    private final Crc64 crc64 = new Crc64();
    private long length;

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has MD5", e);
        }
    }

    /** Adds the remaining bytes, and keeps the position of the buffer. */
    void update(ByteBuffer bytes) {
        length += bytes.remaining();
        md5.update(bytes.duplicate());
        crc64.update(bytes.duplicate());
    }

    byte[] md5Digest() {
        return md5.digest();
    }

    StagedContent staged(Part.Place place, Optional<StagedContent.Content> content) {
        return new StagedContent(length, md5.digest(), crc64.value(), place, content);
    }
}
