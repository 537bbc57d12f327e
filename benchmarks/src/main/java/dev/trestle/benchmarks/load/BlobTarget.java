package dev.trestle.benchmarks.load;

import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * A container under load.
 *
 * @param blobs the number of blobs in the container, a multiple of {@link #FOLDER_BLOBS}
 */
public record BlobTarget(Endpoint endpoint, String container, long blobs) {
    /** Blobs with the same name prefix, and the length of a page of a list. */
    public static final int FOLDER_BLOBS = 1000;

    public BlobTarget {
        if (blobs < FOLDER_BLOBS || blobs % FOLDER_BLOBS != 0) {
            throw new IllegalArgumentException("blobs come in folders of " + FOLDER_BLOBS);
        }
    }

    BlobDialect newDialect() {
        return new BlobDialect(endpoint, container);
    }

    /** Returns the name prefix of a random folder. */
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
