package dev.trestle.server;

import dev.trestle.blob.BlobService;
import java.time.Duration;

/**
 * Configuration of the Blob service.
 *
 * @param publicAccess whether containers may allow anonymous reads
 * @param rehydration the time until a blob has left the archive tier
 */
public record BlobConfig(boolean publicAccess, Duration rehydration) {
    public static final BlobConfig DEFAULT = new BlobConfig(false, BlobService.REHYDRATION);
}
