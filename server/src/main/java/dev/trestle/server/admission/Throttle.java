package dev.trestle.server.admission;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Rejects requests beyond the {@link RateLimits} with the service's own errors. Thread-safe. */
public final class Throttle {
    /** The message since version 2017-04-17 of the service; the partition limit has no message of its own. */
    private static final String OVER_ACCOUNT_LIMIT = "Operations per second is over the account limit.";

    /** More than any server has; only existing accounts are counted. */
    private static final int ACCOUNTS_MAX = 1_000;

    /** A partition key has at most 2 KiB, so the buckets use at most 20 MiB. */
    private static final int PARTITIONS_MAX = 10_000;

    private final Optional<TokenBuckets<String>> accounts;
    private final Optional<TokenBuckets<Partition>> partitions;
    private final LongAdder refusedByAccount = new LongAdder();
    private final LongAdder refusedByPartition = new LongAdder();

    private record Partition(long table, String partitionKey) {}

    /** @param nanoTime a clock like {@link System#nanoTime} */
    public Throttle(RateLimits limits, LongSupplier nanoTime) {
        this.accounts = limits.accountRequests().isEmpty()
                ? Optional.empty()
                : Optional.of(new TokenBuckets<>(limits.accountRequests().getAsInt(), ACCOUNTS_MAX, nanoTime));
        this.partitions = limits.partitionEntities().isEmpty()
                ? Optional.empty()
                : Optional.of(new TokenBuckets<>(limits.partitionEntities().getAsInt(), PARTITIONS_MAX, nanoTime));
    }

    /**
     * Counts a request to an account.
     *
     * @throws StorageException if it exceeds the limit
     */
    public void request(String account) {
        if (accounts.isPresent() && !accounts.get().take(account, 1)) {
            refusedByAccount.increment();
            throw new StorageException(StorageError.SERVER_BUSY, OVER_ACCOUNT_LIMIT);
        }
    }

    /**
     * Counts entities read or written in a partition.
     *
     * @throws StorageException if they exceed the limit
     */
    public void entities(long table, String partitionKey, int count) {
        if (partitions.isPresent() && !partitions.get().take(new Partition(table, partitionKey), count)) {
            refusedByPartition.increment();
            throw new StorageException(StorageError.SERVER_BUSY);
        }
    }

    /** Returns the number of requests rejected by account limits since the start. */
    public long refusedByAccount() {
        return refusedByAccount.sum();
    }

    /** Returns the number of requests rejected by partition limits since the start. */
    public long refusedByPartition() {
        return refusedByPartition.sum();
    }
}
