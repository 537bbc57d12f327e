package dev.trestle.server.codec;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Names for the boundaries of multipart responses. */
public final class BoundaryName {
    private BoundaryName() {}

    /** Returns a random name. It need not be secret, only differ from what stands in the parts. */
    public static UUID random() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new UUID(random.nextLong(), random.nextLong());
    }
}
