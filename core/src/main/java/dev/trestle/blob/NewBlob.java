package dev.trestle.blob;

import java.util.Map;
import java.util.Optional;

/**
 * The properties of a blob to create or replace, and the conditions for it.
 *
 * @param tier empty to keep the tier of a replaced blob
 * @param mayOverwrite whether the caller is authorized to replace a blob
 * @param copiedAsynchronously whether the protocol lets the copy finish after the response; then a lease on a
 *     replaced blob must be infinite
 */
public record NewBlob(
        ContentHeaders headers,
        Map<String, String> metadata,
        Optional<String> tier,
        AccessConditions guard,
        boolean mayOverwrite,
        boolean copiedAsynchronously,
        Tier.Priority priority,
        Map<String, String> tags) {
    public NewBlob {
        metadata = Map.copyOf(metadata);
        tags = Map.copyOf(tags);
    }

    /** Creates the properties of a blob without tags. */
    public NewBlob(
            ContentHeaders headers,
            Map<String, String> metadata,
            Optional<String> tier,
            AccessConditions guard,
            boolean mayOverwrite,
            boolean copiedAsynchronously,
            Tier.Priority priority) {
        this(headers, metadata, tier, guard, mayOverwrite, copiedAsynchronously, priority, Map.of());
    }

    /**
     * Returns these properties without the condition that the blob does not exist, for a check before the bytes
     * arrive: the service checks the checksum of the bytes before that condition.
     */
    public NewBlob evenIfPresent() {
        return new NewBlob(
                headers, metadata, tier, guard.evenIfPresent(), mayOverwrite, copiedAsynchronously, priority, tags);
    }

    /** Creates the properties of a blob that is complete when the operation returns. */
    public NewBlob(
            ContentHeaders headers,
            Map<String, String> metadata,
            Optional<String> tier,
            AccessConditions guard,
            boolean mayOverwrite) {
        this(headers, metadata, tier, guard, mayOverwrite, false, Tier.Priority.STANDARD);
    }

    public NewBlob withHeaders(ContentHeaders changed) {
        return new NewBlob(changed, metadata, tier, guard, mayOverwrite, copiedAsynchronously, priority, tags);
    }

    public NewBlob withTags(Map<String, String> changed) {
        return new NewBlob(headers, metadata, tier, guard, mayOverwrite, copiedAsynchronously, priority, changed);
    }
}
