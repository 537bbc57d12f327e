package dev.trestle.queue;

import java.util.TreeMap;

/**
 * The earliest visibility time that may still have messages. Scans start there and so skip the tombstones of
 * received messages. A message that is written during a scan may be missed by the scan, so the cursor never
 * advances past it. Thread-safe; one scan at a time.
 */
final class VisibilityCursor {
    private final long lag;
    private final TreeMap<Long, Integer> writesInFlight = new TreeMap<>();
    private long from;
    private long leastSinceScan = Long.MAX_VALUE;

    /** @param lag how far to stay before the present, in ticks, because other processes write too */
    VisibilityCursor(long lag) {
        this.lag = lag;
    }

    /** Announces the write of a message with this visibility time. */
    synchronized void writing(long visible) {
        writesInFlight.merge(visible, 1, Integer::sum);
        leastSinceScan = Math.min(leastSinceScan, visible);
    }

    /** Ends an announced write, whether it was applied or not. */
    synchronized void written(long visible) {
        writesInFlight.computeIfPresent(visible, (time, count) -> count == 1 ? null : count - 1);
        from = Math.min(from, visible);
    }

    synchronized long from() {
        return from;
    }

    /** Returns the start of a scan, whose result goes to {@link #endScan}. */
    synchronized long beginScan() {
        leastSinceScan = writesInFlight.isEmpty() ? Long.MAX_VALUE : writesInFlight.firstKey();
        return from;
    }

    /** Advances the cursor: the scan found no messages before this time, which is not later than now. */
    synchronized void endScan(long visible, long now) {
        from = Math.min(Math.min(visible, leastSinceScan), now - lag);
    }
}
