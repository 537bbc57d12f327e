package dev.trestle.queue;

import java.util.function.LongSupplier;

/**
 * How many messages a queue has: what was counted once, and what came and went since. While they are counted some move,
 * so that one may be counted twice, but the answer is never too small. For any thread.
 */
final class MessageCount {
    private final LongSupplier nanoTime;
    private long counted = -1;
    private long countedNanos;
    private long added;
    private long removed;
    private long addedBefore;
    private long removedBefore;

    /** @param nanoTime elapsed time, like {@link System#nanoTime} */
    MessageCount(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    synchronized void added() {
        added++;
    }

    synchronized void removed(int messages) {
        removed += messages;
    }

    /** How often messages were added so far; to be asked before counting. */
    synchronized long additions() {
        return added;
    }

    /** The queue was counted, beginning when there had been so many additions. */
    synchronized void counted(long messages, long additionsAtBegin) {
        counted = messages;
        countedNanos = nanoTime.getAsLong();
        addedBefore = additionsAtBegin;
        removedBefore = removed;
    }

    /** Whether nobody has counted yet, or not for so long. */
    synchronized boolean isOlderThan(long nanos) {
        return counted < 0 || nanoTime.getAsLong() - countedNanos > nanos;
    }

    synchronized long messages() {
        return Math.max(0, counted + (added - addedBefore) - (removed - removedBefore));
    }
}
