package dev.trestle.server.blob;

import dev.trestle.blob.TagExpression;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.codec.QueryParameters;
import dev.trestle.server.pipeline.Request;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The headers of requests that are about the tags of blobs. */
final class TagHeaders {
    static final String TAGS = "x-ms-tags";
    static final String IF_TAGS = "x-ms-if-tags";
    static final String SOURCE_IF_TAGS = "x-ms-source-if-tags";
    static final String OPTION = "x-ms-copy-source-tag-option";

    private TagHeaders() {}

    /** The tags that a new blob is to have, written like the parameters of an address. */
    static Map<String, String> tags(Request request) {
        BlobTagSet tags = new BlobTagSet();
        for (String pair : request.header(TAGS).orElse("").strip().split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals >= 0) {
                tags.add(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
            } else if (!pair.isEmpty()) {
                throw new StorageException(StorageError.INVALID_TAG);
            }
        }
        return tags.tags();
    }

    private static String decoded(String text) {
        try {
            return QueryParameters.decode(text, true);
        } catch (StorageException e) {
            throw new StorageException(StorageError.INVALID_TAG);
        }
    }

    static Optional<TagExpression> condition(Request request, String header) {
        return request.header(header).filter(text -> !text.isBlank()).map(text -> TagParser.condition(header, text));
    }

    /**
     * Whether a copy is to have the tags of its source, instead of those that the request gives. The service passes the
     * option over where a copy may take longer than its answer.
     */
    static boolean copiesTags(Request request) {
        boolean later = request.header("x-ms-blob-type").isEmpty()
                && !request.header("x-ms-requires-sync").orElse("").strip().equalsIgnoreCase("true");
        if (later) {
            return false;
        }
        String option = request.header(OPTION).orElse("REPLACE").strip().toUpperCase(Locale.ROOT);
        if (!option.equals("COPY") && !option.equals("REPLACE")) {
            throw BlobConditions.invalid(OPTION);
        }
        boolean copies = option.equals("COPY");
        if (copies && request.header(TAGS).isPresent()) {
            throw new StorageException(StorageError.COPY_SOURCE_TAGS_CONFLICT).with("HeaderName", TAGS);
        }
        return copies;
    }

    /** Whether the request gives a blob tags. */
    static boolean hasTags(Request request) {
        return request.header(TAGS).isPresent();
    }

    /** Whether the request depends on the tags of a blob. */
    static boolean hasCondition(Request request) {
        return request.header(IF_TAGS).isPresent();
    }

    /**
     * Returns if the tags of what is copied may be read or tested, as far as the request does.
     *
     * @param source what the address of the source lets do
     * @param caller what the caller may do there itself, empty if that is another account
     */
    static void checkSource(Request request, Grant source, Optional<Grant> caller, String resource) {
        if (request.header(SOURCE_IF_TAGS).isEmpty() && !copiesTags(request)) {
            return;
        }
        try {
            source.check(BlobOperations.GET_BLOB_TAGS.permission(), Optional.of(resource));
        } catch (StorageException refusal) {
            caller.orElseThrow(() -> refusal).check(BlobOperations.GET_BLOB_TAGS.permission(), Optional.of(resource));
        }
    }
}
