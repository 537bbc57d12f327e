package dev.trestle.blob;

import java.util.Map;
import java.util.Optional;

/**
 * What a writer says of the blob it makes.
 *
 * @param tier empty to leave it as it was
 * @param mayOverwrite whether a blob that is there may be replaced
 * @param slowly whether the service would go on making it after its answer, so that a lease on what is there has to
 *     be one without end
 */
public record NewBlob(
        ContentHeaders headers,
        Map<String, String> metadata,
        Optional<String> tier,
        Guard guard,
        boolean mayOverwrite,
        boolean slowly) {
    public NewBlob {
        metadata = Map.copyOf(metadata);
    }

    /** One that is made at once. */
    public NewBlob(
            ContentHeaders headers,
            Map<String, String> metadata,
            Optional<String> tier,
            Guard guard,
            boolean mayOverwrite) {
        this(headers, metadata, tier, guard, mayOverwrite, false);
    }
}
