package dev.trestle.server.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.Request;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Rejects headers of features that this server does not have, because ignoring them would break guarantees on
 * which the client relies. Headers that the service itself ignores are ignored.
 */
final class UnsupportedHeaders {
    /** Headers of features that this server does not have, by prefix. */
    private static final List<String> NOT_BUILT = List.of(
            "x-ms-structured-",
            "x-ms-encryption-",
            "x-ms-default-encryption-scope",
            "x-ms-deny-encryption-scope-override",
            "x-ms-source-encryption-",
            "x-ms-immutability-policy-",
            "x-ms-legal-hold",
            "x-ms-expiry-",
            "x-ms-file-request-intent");

    /** Headers of page blobs in requests for other blobs. */
    private static final List<String> OF_PAGE_BLOBS = List.of(
            "x-ms-blob-content-length",
            "x-ms-blob-sequence-number",
            "x-ms-sequence-number-action",
            "x-ms-if-sequence-number-",
            "x-ms-page-write",
            "x-ms-previous-snapshot-url");

    private static final List<String> OF_DELETIONS = List.of("x-ms-access-tier-if-");
    private static final List<String> OF_COPIES = List.of("x-ms-seal-");
    private static final List<String> OF_APPENDS = List.of("x-ms-blob-condition-");
    private static final List<String> OF_SOURCES = List.of("x-ms-source-", "x-ms-copy-source-");

    /** Conditional headers, which blocks do not have because they are not part of a blob yet. */
    private static final List<String> NOT_OF_BLOCKS =
            List.of("if-match", "if-none-match", "if-modified-since", "if-unmodified-since", TagHeaders.IF_TAGS);

    /** Headers that only blobs have. */
    private static final List<String> OF_TAGS = List.of(TagHeaders.TAGS, TagHeaders.IF_TAGS);

    /** The operations that create a blob, which may have tags. */
    private static final Set<Operation<?, ?>> CREATING = Set.of(
            BlobOperations.PUT_BLOB,
            BlobOperations.PUT_APPEND_BLOB,
            BlobOperations.PUT_BLOB_FROM_URL,
            BlobOperations.PUT_BLOCK_LIST,
            BlobOperations.COPY_BLOB,
            BlobOperations.COPY_BLOB_FROM_URL);

    private static final List<String> NOT_OF_COPIES = List.of("x-ms-source-range", "x-ms-source-content-crc64");

    private static final Set<Operation<?, ?>> APPENDS =
            Set.of(BlobOperations.APPEND_BLOCK, BlobOperations.APPEND_BLOCK_FROM_URL, BlobOperations.APPEND_BLOB_SEAL);

    private UnsupportedHeaders() {}

    /**
     * Throws if the request has a header that no operation supports.
     *
     * @param deletesBlob whether the request deletes a blob, the only operation with conditions on the tier
     */
    static void check(Request request, boolean deletesBlob) {
        refuse(request, NOT_BUILT);
        if (!deletesBlob) {
            refuse(request, OF_DELETIONS);
        }
    }

    /** Throws if the request has a header that this operation on a blob does not support. */
    static void check(Request request, Operation<?, ?> operation) {
        refuse(request, OF_PAGE_BLOBS);
        if (!APPENDS.contains(operation)) {
            refuse(request, OF_APPENDS);
        }
        if (request.header("x-ms-copy-source").isEmpty()) {
            refuse(request, OF_SOURCES);
        }
        if (!CREATING.contains(operation)) {
            refuse(request, List.of(TagHeaders.TAGS));
        }
        if (operation == BlobOperations.PUT_BLOCK || operation == BlobOperations.PUT_BLOCK_FROM_URL) {
            refuse(request, NOT_OF_BLOCKS);
        }
        if (operation == BlobOperations.COPY_BLOB || operation == BlobOperations.COPY_BLOB_FROM_URL) {
            refuse(request, NOT_OF_COPIES);
        } else {
            refuse(request, OF_COPIES);
        }
    }

    /** Throws if the request has a header that accounts and containers do not have. */
    static void checkNotOnBlob(Request request) {
        refuse(request, OF_TAGS);
    }

    /** Throws if the name of a header has one of these prefixes, which are in lower case. */
    static void refuse(Request request, List<String> prefixes) {
        for (Map.Entry<String, String> header : request.headers()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (prefixes.stream().anyMatch(name::startsWith)) {
                throw new StorageException(
                                StorageError.UNSUPPORTED_HEADER,
                                "This server cannot do what the header " + name
                                        + " asks for, so it does nothing. Send the request without it.")
                        .with("HeaderName", name);
            }
        }
    }
}
