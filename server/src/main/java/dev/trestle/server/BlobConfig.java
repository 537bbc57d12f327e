package dev.trestle.server;

import dev.trestle.blob.BlobService;
import java.time.Duration;

/**
 * How to serve blobs.
 *
 * @param publicAccess whether containers may be opened to everybody
 * @param rehydration how long a blob takes to come out of the archive
 */
public record BlobConfig(boolean publicAccess, Duration rehydration) {
    public static final BlobConfig DEFAULT = new BlobConfig(false, BlobService.REHYDRATION);
}
