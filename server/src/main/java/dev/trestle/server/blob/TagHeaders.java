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

/** Parses the headers about blob tags. */
final class TagHeaders {
    static final String TAGS = "x-ms-tags";
    static final String IF_TAGS = "x-ms-if-tags";
    static final String SOURCE_IF_TAGS = "x-ms-source-if-tags";
    static final String OPTION = "x-ms-copy-source-tag-option";

    private TagHeaders() {}

    /** Parses the tags of a new blob, which are encoded like query parameters. */
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
     * Whether a copy takes the tags of its source instead of those in the request. The service ignores the option
     * for asynchronous copies.
     */
    static boolean copiesTags(Request request) {
        boolean asynchronous = request.header("x-ms-blob-type").isEmpty()
                && !request.header("x-ms-requires-sync").orElse("").strip().equalsIgnoreCase("true");
        if (asynchronous) {
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

    /** Whether the request has tags. */
    static boolean hasTags(Request request) {
        return request.header(TAGS).isPresent();
    }

    /** Whether the request has a condition on tags. */
    static boolean hasCondition(Request request) {
        return request.header(IF_TAGS).isPresent();
    }

    /**
     * Throws unless the tags of the source may be read or tested, if the request does so.
     *
     * @param source the grant of the source's credentials
     * @param caller the grant of the request; empty if the source is in another account
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
