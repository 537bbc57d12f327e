package dev.trestle.benchmarks.load;

import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * A container under load.
 *
 * @param blobs how many it holds when anything is measured, a multiple of {@link #FOLDER_BLOBS}
 */
public record BlobTarget(Endpoint endpoint, String container, long blobs) {
    /** Blobs whose names begin alike, which is also what a page of a list holds. */
    public static final int FOLDER_BLOBS = 1000;

    public BlobTarget {
        if (blobs < FOLDER_BLOBS || blobs % FOLDER_BLOBS != 0) {
            throw new IllegalArgumentException("blobs come in folders of " + FOLDER_BLOBS);
        }
    }

    BlobDialect newDialect() {
        return new BlobDialect(endpoint, container);
    }

    /** What the names of some blobs begin with. */
    static String folder(long folder) {
        return String.format(Locale.ROOT, "loaded/%07d/", folder);
    }

    static String name(long blob) {
        return folder(blob / FOLDER_BLOBS) + String.format(Locale.ROOT, "%03d", blob % FOLDER_BLOBS);
    }

    String anyFolder(RandomGenerator random) {
        return folder(random.nextLong(blobs / FOLDER_BLOBS));
    }

    String anyName(RandomGenerator random) {
        return name(random.nextLong(blobs));
    }
}
