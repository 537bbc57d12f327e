package dev.trestle.server.admission;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Refuses, in the words of the service, what goes over the {@link RateLimits}. For any thread. */
public final class Throttle {
    /** Since version 2017-04-17 of the service; a partition's limit has no words of its own. */
    private static final String OVER_ACCOUNT_LIMIT = "Operations per second is over the account limit.";

    /** Only accounts that exist are counted, and nobody has this many. */
    private static final int ACCOUNTS_MAX = 1_000;

    /** A partition key has 2 KiB at most, so these stay within 20 MiB. */
    private static final int PARTITIONS_MAX = 10_000;

    private final Optional<TokenBuckets<String>> accounts;
    private final Optional<TokenBuckets<Partition>> partitions;
    private final LongAdder refusedByAccount = new LongAdder();
    private final LongAdder refusedByPartition = new LongAdder();

    private record Partition(long table, String partitionKey) {}

    /** @param nanoTime as {@link System#nanoTime} */
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
     * @throws StorageException when it is one too many
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
     * @throws StorageException when they are too many
     */
    public void entities(long table, String partitionKey, int count) {
        if (partitions.isPresent() && !partitions.get().take(new Partition(table, partitionKey), count)) {
            refusedByPartition.increment();
            throw new StorageException(StorageError.SERVER_BUSY);
        }
    }

    /** Requests refused because of their account's limit, since the start. */
    public long refusedByAccount() {
        return refusedByAccount.sum();
    }

    /** Requests refused because of their partition's limit, since the start. */
    public long refusedByPartition() {
        return refusedByPartition.sum();
    }
}
