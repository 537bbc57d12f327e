package dev.trestle.server.http;

import dev.trestle.blob.Conditions;
import dev.trestle.blob.Guard;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.auth.HttpDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Pattern;

/** What the headers of a request want to hold of a blob or a container. */
final class BlobConditions {
    private static final Pattern GUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private BlobConditions() {}

    /** Of a reader, who may name several ETags and combine conditions as it likes. */
    static Guard ofReader(Request request) {
        return new Guard(conditions(request, ""), lease(request));
    }

    /** Of a writer, whose conditions have to be of one kind. */
    static Guard ofWriter(Request request) {
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
        return new Guard(conditions, lease(request));
    }

    /** Of somebody who copies, about what is copied. */
    static Guard ofSource(Request request) {
        return new Guard(conditions(request, "x-ms-source-"), guid(request, "x-ms-source-lease-id"));
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
            // Some clients take the quotes off what they were given and do not put them back.
            String bare = tag.strip().replace("W/", "").replace("\"", "");
            if (!bare.isEmpty()) {
                tags.add(bare);
            }
        }
        return tags;
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
        if (text.isPresent() && !GUID.matcher(text.get()).matches()) {
            throw invalid(name);
        }
        return text.map(UUID::fromString);
    }

    static StorageException invalid(String header) {
        return new StorageException(StorageError.INVALID_HEADER_VALUE).with("HeaderName", header);
    }

    static StorageException missing(String header) {
        return new StorageException(StorageError.MISSING_REQUIRED_HEADER).with("HeaderName", header);
    }
}
