package dev.trestle.server.blob;

import dev.trestle.blob.Crc64;
import dev.trestle.blob.StagedContent;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.pipeline.ProtocolVersion;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.Response;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;

/**
 * The checksums of the content in a request; at most one is present.
 *
 * @param supportsCrc64 whether the protocol version has CRC64
 * @param explains whether the error of a mismatch contains both checksums
 */
record ContentChecksums(Optional<byte[]> md5, Optional<byte[]> crc64, boolean supportsCrc64, boolean explains) {
    private static final int MD5_BYTES = 16;
    private static final String CRC64_SINCE = "2019-02-02";

    static ContentChecksums of(Request request) {
        return of(request, "Content-MD5", "x-ms-content-crc64");
    }

    /** Parses the checksum of a blob; that of the whole blob takes precedence over that of the body. */
    static ContentChecksums ofBlob(Request request) {
        boolean named = request.header("x-ms-blob-content-md5").isPresent();
        return of(request, named ? "x-ms-blob-content-md5" : "Content-MD5", "x-ms-content-crc64");
    }

    static ContentChecksums ofSource(Request request) {
        return of(request, "x-ms-source-content-md5", "x-ms-source-content-crc64");
    }

    private static ContentChecksums of(Request request, String md5Name, String crc64Name) {
        Optional<byte[]> md5 = decoded(request, md5Name, StorageError.INVALID_MD5);
        if (md5.isPresent() && md5.get().length != MD5_BYTES) {
            throw new StorageException(StorageError.INVALID_MD5);
        }
        // A CRC64 of another length is a mismatch.
        Optional<byte[]> crc64 = decoded(request, crc64Name, StorageError.INVALID_HEADER_VALUE);
        if (md5.isPresent() && crc64.isPresent()) {
            throw new StorageException(StorageError.BOTH_CRC64_AND_MD5_HEADER_PRESENT);
        }
        boolean supportsCrc64 = ProtocolVersion.isSince(request, CRC64_SINCE);
        return new ContentChecksums(md5, crc64, supportsCrc64, true);
    }

    /** Returns these checksums for an append, for which the service does not explain mismatches. */
    ContentChecksums ofAppend() {
        return new ContentChecksums(md5, crc64, supportsCrc64, false);
    }

    /** Returns the MD5 to store with the blob, which is not verified. */
    static String blobMd5(Request request) {
        return decoded(request, "x-ms-blob-content-md5", StorageError.INVALID_MD5)
                .map(ContentChecksums::base64)
                .orElse("");
    }

    private static Optional<byte[]> decoded(Request request, String name, StorageError otherwise) {
        Optional<String> text = request.header(name).map(String::strip).filter(value -> !value.isEmpty());
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Base64.getDecoder().decode(text.get()));
        } catch (IllegalArgumentException e) {
            throw new StorageException(otherwise);
        }
    }

    /** Whether there is a checksum. */
    boolean given() {
        return md5.isPresent() || crc64.isPresent();
    }

    /** Throws if the content does not match. */
    void verify(StagedContent staged) {
        verify(base64(staged.md5()), crc64(staged));
    }

    /** Throws if the document does not match. */
    void verify(byte[] document) {
        if (given()) {
            verify(md5(document), crc64(document));
        }
    }

    /** Throws if this MD5 does not match. */
    void verifyMd5(byte[] its) {
        verifyMd5(base64(its));
    }

    private void verifyMd5(String its) {
        if (md5.isPresent() && !base64(md5.get()).equals(its)) {
            throw mismatch(StorageError.MD5_MISMATCH, "Md5", base64(md5.get()), its);
        }
    }

    private void verify(String itsMd5, String itsCrc64) {
        verifyMd5(itsMd5);
        if (crc64.isPresent() && !base64(crc64.get()).equals(itsCrc64)) {
            throw mismatch(StorageError.CRC64_MISMATCH, "Crc64", base64(crc64.get()), itsCrc64);
        }
    }

    private StorageException mismatch(StorageError error, String kind, String given, String its) {
        StorageException mismatch = new StorageException(error);
        return explains ? mismatch.with("UserSpecified" + kind, given).with("ServerCalculated" + kind, its) : mismatch;
    }

    /** Adds the checksum of the received content: of the kind in the request, or else the default of the version. */
    Response addTo(Response response, StagedContent staged) {
        return sendsMd5()
                ? response.header("Content-MD5", base64(staged.md5()))
                : response.header("x-ms-content-crc64", crc64(staged));
    }

    /** Adds the checksum of a received document, likewise. */
    Response addTo(Response response, byte[] document) {
        return sendsMd5()
                ? response.header("Content-MD5", md5(document))
                : response.header("x-ms-content-crc64", crc64(document));
    }

    private boolean sendsMd5() {
        return md5.isPresent() || !supportsCrc64;
    }

    static String crc64(StagedContent staged) {
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
