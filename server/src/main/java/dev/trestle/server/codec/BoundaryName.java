package dev.trestle.server.codec;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Generates boundaries for multipart responses. */
public final class BoundaryName {
    private BoundaryName() {}

    /** Returns a random boundary. It need not be secret; it only must not occur in the parts. */
    public static UUID random() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new UUID(random.nextLong(), random.nextLong());
    }
}
