package dev.trestle.server.admission;

import java.util.OptionalInt;

/**
 * Rate limits per second; empty means unlimited.
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
            throw new IllegalArgumentException("a rate limit is at least 1 per second");
        }
    }
}
