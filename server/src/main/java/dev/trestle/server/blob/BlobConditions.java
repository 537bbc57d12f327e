package dev.trestle.server.blob;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.BlobETag;
import dev.trestle.blob.Conditions;
import dev.trestle.blob.TierConditions;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.codec.HttpDate;
import dev.trestle.server.pipeline.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses conditional headers and leases of requests on blobs and containers. */
final class BlobConditions {
    /**
     * 32 digits with or without hyphens, and those with hyphens also in braces or parentheses, as .NET reads them.
     */
    private static final Pattern GUID = Pattern.compile("(?<plain>[0-9a-fA-F]{32})|(?<open>[{(]?)"
            + "(?<hyphens>[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})(?<close>[)}]?)");

    private static final Map<String, String> BRACKETS = Map.of("", "", "{", "}", "(", ")");

    private BlobConditions() {}

    /** Parses the conditions of a read, which may have several ETags and any combination of headers. */
    static AccessConditions ofReader(Request request) {
        return new AccessConditions(
                conditions(request, ""), lease(request), TagHeaders.condition(request, TagHeaders.IF_TAGS));
    }

    /** Parses the conditions of a write, which must be of one kind. */
    static AccessConditions ofWriter(Request request) {
        Conditions conditions = conditions(request, "");
        boolean several =
                conditions.ifMatch().size() > 1 || conditions.ifNoneMatch().size() > 1;
        boolean wantsOld = !conditions.ifMatch().isEmpty()
                || conditions.ifUnmodifiedSince().isPresent();
        boolean wantsNew = !conditions.ifNoneMatch().isEmpty()
                || conditions.ifModifiedSince().isPresent();
        if (several || (wantsOld && wantsNew)) {
            throw new StorageException(StorageError.MULTIPLE_CONDITION_HEADERS_NOT_SUPPORTED);
        }
        return new AccessConditions(conditions, lease(request), TagHeaders.condition(request, TagHeaders.IF_TAGS));
    }

    /** Parses the conditions on the source of a copy. */
    static AccessConditions ofSource(Request request) {
        return new AccessConditions(
                conditions(request, "x-ms-source-"),
                guid(request, "x-ms-source-lease-id"),
                TagHeaders.condition(request, TagHeaders.SOURCE_IF_TAGS));
    }

    /** Parses the conditions of a deletion on the tier of the blob. */
    static TierConditions ofTier(Request request) {
        return new TierConditions(
                time(request, "x-ms-access-tier-if-modified-since"),
                time(request, "x-ms-access-tier-if-unmodified-since"));
    }

    private static Conditions conditions(Request request, String prefix) {
        return new Conditions(
                tags(request, prefix + "If-Match"),
                tags(request, prefix + "If-None-Match"),
                time(request, prefix + "If-Modified-Since"),
                time(request, prefix + "If-Unmodified-Since"));
    }

    private static List<String> tags(Request request, String name) {
        List<String> tags = new ArrayList<>();
        for (String tag : request.header(name).orElse("").split(",", -1)) {
            // Some clients remove the quotes of an ETag.
            String bare = tag.strip().replace("W/", "").replace("\"", "");
            if (!bare.isEmpty()) {
                tags.add(bare);
            }
        }
        return tags;
    }

    /** Rejects an ETag of a time before 1601, as Append Block does if the ETag has no quotes. */
    static void refuseImpossibleETags(Request request) {
        for (String name : List.of("If-Match", "If-None-Match")) {
            for (String tag : request.header(name).orElse("").split(",", -1)) {
                if (!BlobETag.isPossible(tag.strip())) {
                    throw new StorageException(StorageError.OUT_OF_RANGE_INPUT);
                }
            }
        }
    }

    private static OptionalLong time(Request request, String name) {
        Optional<String> text = request.header(name).filter(value -> !value.isBlank());
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Ticks.of(HttpDate.parse(text.get().strip()).orElseThrow(() -> invalid(name))));
    }

    static Optional<UUID> lease(Request request) {
        return guid(request, "x-ms-lease-id");
    }

    static Optional<UUID> guid(Request request, String name) {
        Optional<String> text = request.header(name).map(String::strip).filter(value -> !value.isEmpty());
        return text.map(value -> guid(value).orElseThrow(() -> invalid(name)));
    }

    static Optional<UUID> guid(String text) {
        Matcher matcher = GUID.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String plain = matcher.group("plain");
        if (plain != null) {
            return Optional.of(new UUID(
                    Long.parseUnsignedLong(plain.substring(0, 16), 16),
                    Long.parseUnsignedLong(plain.substring(16), 16)));
        }
        return matcher.group("close").equals(BRACKETS.get(matcher.group("open")))
                ? Optional.of(UUID.fromString(matcher.group("hyphens")))
                : Optional.empty();
    }

    static StorageException invalid(String header) {
        return new StorageException(StorageError.INVALID_HEADER_VALUE).with("HeaderName", header);
    }

    static StorageException missing(String header) {
        return new StorageException(StorageError.MISSING_REQUIRED_HEADER).with("HeaderName", header);
    }
}
