package dev.trestle.blob;

import java.util.Map;
import java.util.Optional;

/**
 * What a writer says of the blob it makes.
 *
 * @param tier empty to leave it as it was
 * @param mayOverwrite whether a blob that is there may be replaced
 * @param copiedAsynchronously whether the service would go on making it after its answer, so that a lease on what is there has to
 *     be one without end
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

    /** One without tags. */
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
     * The same blob, for a check before its bytes have arrived: the service compares their checksum before it looks
     * whether a blob is there that its writer does not want to replace.
     */
    public NewBlob evenIfPresent() {
        return new NewBlob(
                headers, metadata, tier, guard.evenIfPresent(), mayOverwrite, copiedAsynchronously, priority, tags);
    }

    /** One that is made at once. */
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
