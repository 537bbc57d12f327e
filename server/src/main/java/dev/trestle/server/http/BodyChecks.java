package dev.trestle.server.http;

import dev.trestle.blob.Crc64;
import dev.trestle.blob.Staged;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;

/** The checksums that a sender gives for its bytes, of which there may be one. */
record BodyChecks(Optional<byte[]> md5, Optional<byte[]> crc64) {
    private static final int MD5_BYTES = 16;
    private static final int CRC64_BYTES = 8;

    static BodyChecks of(Request request) {
        return of(request, "Content-MD5", "x-ms-content-crc64");
    }

    /** Of the whole blob, which goes before that of the body where the two are the same bytes. */
    static BodyChecks ofBlob(Request request) {
        boolean named = request.header("x-ms-blob-content-md5").isPresent();
        return of(request, named ? "x-ms-blob-content-md5" : "Content-MD5", "x-ms-content-crc64");
    }

    static BodyChecks ofSource(Request request) {
        return of(request, "x-ms-source-content-md5", "x-ms-source-content-crc64");
    }

    private static BodyChecks of(Request request, String md5Name, String crc64Name) {
        Optional<byte[]> md5 = decoded(request, md5Name, MD5_BYTES, StorageError.INVALID_MD5);
        Optional<byte[]> crc64 = decoded(request, crc64Name, CRC64_BYTES, StorageError.INVALID_HEADER_VALUE);
        if (md5.isPresent() && crc64.isPresent()) {
            throw new StorageException(StorageError.BOTH_CRC64_AND_MD5_HEADER_PRESENT);
        }
        return new BodyChecks(md5, crc64);
    }

    /** What a sender says of the blob that it makes, of the form that a checksum has. */
    static Optional<byte[]> blobMd5(Request request) {
        return decoded(request, "x-ms-blob-content-md5", MD5_BYTES, StorageError.INVALID_MD5);
    }

    private static Optional<byte[]> decoded(Request request, String name, int bytes, StorageError otherwise) {
        Optional<String> text = request.header(name).map(String::strip).filter(value -> !value.isEmpty());
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            byte[] decoded = Base64.getDecoder().decode(text.get());
            if (decoded.length == bytes) {
                return Optional.of(decoded);
            }
        } catch (IllegalArgumentException e) {
            throw new StorageException(otherwise);
        }
        throw new StorageException(otherwise);
    }

    /** Whether the sender gave a checksum. */
    boolean given() {
        return md5.isPresent() || crc64.isPresent();
    }

    /** Returns if the bytes are those that were sent. */
    void verify(Staged staged) {
        verify(base64(staged.md5()), crc64(staged));
    }

    /** Returns if the document is the one that was sent. */
    void verify(byte[] document) {
        if (given()) {
            verify(md5(document), crc64(document));
        }
    }

    /** Returns if this is the checksum that was sent. */
    void verifyMd5(byte[] its) {
        verifyMd5(base64(its));
    }

    private void verifyMd5(String its) {
        if (md5.isPresent() && !base64(md5.get()).equals(its)) {
            throw new StorageException(StorageError.MD5_MISMATCH)
                    .with("UserSpecifiedMd5", base64(md5.get()))
                    .with("ServerCalculatedMd5", its);
        }
    }

    private void verify(String itsMd5, String itsCrc64) {
        verifyMd5(itsMd5);
        if (crc64.isPresent() && !base64(crc64.get()).equals(itsCrc64)) {
            throw new StorageException(StorageError.CRC64_MISMATCH)
                    .with("UserSpecifiedCrc64", base64(crc64.get()))
                    .with("ServerCalculatedCrc64", itsCrc64);
        }
    }

    /** Tells the sender what was received: by the checksum it gave, or else by the other. */
    Response told(Response response, Staged staged) {
        return md5.isPresent()
                ? response.header("Content-MD5", base64(staged.md5()))
                : response.header("x-ms-content-crc64", crc64(staged));
    }

    /** Tells the sender of a document what was received, likewise. */
    Response told(Response response, byte[] document) {
        return md5.isPresent()
                ? response.header("Content-MD5", md5(document))
                : response.header("x-ms-content-crc64", crc64(document));
    }

    static String crc64(Staged staged) {
        return base64(Crc64.littleEndian(staged.crc64()));
    }

    static String md5(byte[] bytes) {
        try {
            return base64(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }

    static String crc64(byte[] bytes) {
        Crc64 crc = new Crc64();
        crc.update(bytes, 0, bytes.length);
        return base64(Crc64.littleEndian(crc.value()));
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
