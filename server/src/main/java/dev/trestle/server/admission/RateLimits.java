package dev.trestle.server.admission;

import java.util.OptionalInt;

/**
 * How much may be asked in a second; no limit where empty.
 *
 * @param accountRequests requests to an account
 * @param partitionEntities entities read or written in a partition
 */
public record RateLimits(OptionalInt accountRequests, OptionalInt partitionEntities) {
    public static final RateLimits NONE = new RateLimits(OptionalInt.empty(), OptionalInt.empty());

    /** "Scalability and performance targets for Table storage". */
    public static final RateLimits AZURE = new RateLimits(OptionalInt.of(20_000), OptionalInt.of(2_000));

    public RateLimits {
        if (accountRequests.orElse(1) < 1 || partitionEntities.orElse(1) < 1) {
            throw new IllegalArgumentException("a rate is at least 1 a second");
        }
    }
}
