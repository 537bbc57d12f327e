package dev.trestle.queue;

/**
 * How many messages a queue has: what was counted once, and what came and went since. While they are counted some move,
 * so that one may be counted twice, but the answer is never too small. For any thread.
 */
final class MessageCount {
    private long counted = -1;
    private long countedNanos;
    private long added;
    private long removed;
    private long addedBefore;
    private long removedBefore;

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
        countedNanos = System.nanoTime();
        addedBefore = additionsAtBegin;
        removedBefore = removed;
    }

    /** Whether nobody has counted yet, or not for so long. */
    synchronized boolean isOlderThan(long nanos) {
        return counted < 0 || System.nanoTime() - countedNanos > nanos;
    }

    synchronized long messages() {
        return Math.max(0, counted + (added - addedBefore) - (removed - removedBefore));
    }
}
