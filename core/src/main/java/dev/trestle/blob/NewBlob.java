package dev.trestle.blob;

import java.util.Map;
import java.util.Optional;

/**
 * What a writer says of the blob it makes.
 *
 * @param tier empty to leave it as it was
 * @param mayOverwrite whether a blob that is there may be replaced
 */
public record NewBlob(
        ContentHeaders headers,
        Map<String, String> metadata,
        Optional<String> tier,
        Guard guard,
        boolean mayOverwrite) {
    public NewBlob {
        metadata = Map.copyOf(metadata);
    }
}
