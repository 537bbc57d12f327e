package dev.trestle.queue;

import java.util.function.LongSupplier;

/**
 * A cached number of messages: the result of the last full count, plus insertions and minus deletions since. A
 * message that moves during a count may be counted twice, so the number is never too small. Thread-safe.
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

    /** Returns the number of insertions so far. Must be called before a full count begins. */
    synchronized long additions() {
        return added;
    }

    /** Sets the result of a full count, with the number of insertions before it. */
    synchronized void counted(long messages, long additionsBefore) {
        counted = messages;
        countedNanos = nanoTime.getAsLong();
        addedBefore = additionsBefore;
        removedBefore = removed;
    }

    /** Returns whether there was no full count in this time. */
    synchronized boolean isOlderThan(long nanos) {
        return counted < 0 || nanoTime.getAsLong() - countedNanos > nanos;
    }

    synchronized long messages() {
        return Math.max(0, counted + (added - addedBefore) - (removed - removedBefore));
    }
}
