package dev.trestle.server.analytics;

import dev.trestle.blob.BlobService;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Has what accounts keep in blobs counted once a day, one after the other. For one thread. */
final class CapacityMetrics {
    private final BlobService blobs;
    private Optional<CapacityCount> counting = Optional.empty();

    /** The last day that an account was counted on. */
    private final Map<String, Instant> counted = new HashMap<>();

    CapacityMetrics(BlobService blobs) {
        this.blobs = blobs;
    }

    /** Counts on, or begins with an account that has no count of this day; false when there is none. */
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

    private Optional<CapacityCount> next(MetricsTables tables, Instant day, List<String> accounts) {
        for (String account : accounts) {
            if (day.equals(counted.get(account))) {
                continue;
            }
            if (!tables.hasCapacity(account, day)) {
                return Optional.of(new CapacityCount(blobs, account, day));
            }
            // By another server, or before this one was started again.
            counted.put(account, day);
        }
        return Optional.empty();
    }
}
