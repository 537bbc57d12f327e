package dev.trestle.server.analytics;

import dev.trestle.blob.BlobService;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts the blobs of accounts once per day, one account after another. Not thread-safe. */
final class CapacityMetrics {
    private final BlobService blobs;
    private Optional<CapacityCounter> counting = Optional.empty();

    /** The last day on which an account was counted. */
    private final Map<String, Instant> counted = new HashMap<>();

    CapacityMetrics(BlobService blobs) {
        this.blobs = blobs;
    }

    /**
     * Continues the count, or starts that of an account without metrics of this day; returns false if there is
     * none.
     */
    boolean step(MetricsTables tables, Instant day, List<String> accounts) {
        if (counting.isEmpty()) {
            counting = next(tables, day, accounts);
        }
        counting.filter(count -> !count.step()).ifPresent(count -> {
            tables.put(count);
            counted.put(count.account(), count.day());
            counting = Optional.empty();
        });
        return counting.isPresent();
    }

    private Optional<CapacityCounter> next(MetricsTables tables, Instant day, List<String> accounts) {
        for (String account : accounts) {
            if (day.equals(counted.get(account))) {
                continue;
            }
            if (!tables.hasCapacity(account, day)) {
                return Optional.of(new CapacityCounter(blobs, account, day));
            }
            // Counted by another server, or before a restart.
            counted.put(account, day);
        }
        return Optional.empty();
    }
}
