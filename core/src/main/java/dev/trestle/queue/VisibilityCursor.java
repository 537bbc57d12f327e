package dev.trestle.queue;

import java.util.TreeMap;

/**
 * Where the first message of a queue can be, so that nobody has to look at the traces of those that were taken before.
 * What is being written while somebody looks may be missed by them; it keeps the head from moving past it. For any
 * thread, but only one looks at a time.
 */
final class VisibilityCursor {
    private final long lag;
    private final TreeMap<Long, Integer> beingWritten = new TreeMap<>();
    private long from;
    private long leastSinceLook = Long.MAX_VALUE;

    /** @param lag how far to stay behind, in ticks, because others write what is not told here */
    VisibilityCursor(long lag) {
        this.lag = lag;
    }

    /** A message that becomes visible then is about to be written. */
    synchronized void writing(long visible) {
        beingWritten.merge(visible, 1, Integer::sum);
        leastSinceLook = Math.min(leastSinceLook, visible);
    }

    /** It was written, or may have been. */
    synchronized void written(long visible) {
        beingWritten.computeIfPresent(visible, (moment, count) -> count == 1 ? null : count - 1);
        from = Math.min(from, visible);
    }

    synchronized long from() {
        return from;
    }

    /** Where to look from, for one who will tell what there is. */
    synchronized long look() {
        leastSinceLook = beingWritten.isEmpty() ? Long.MAX_VALUE : beingWritten.firstKey();
        return from;
    }

    /** The look found nothing before this moment, which is not after now. */
    synchronized void nothingBefore(long moment, long now) {
        from = Math.min(Math.min(moment, leastSinceLook), now - lag);
    }
}
