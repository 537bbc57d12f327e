package dev.trestle.server.analytics;

import dev.trestle.catalogue.Service;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Lines that wait to be written, up to so many bytes; what is beyond is dropped and counted. For any thread. */
final class LogBuffer {
    private final long bytesMax;
    private final ConcurrentLinkedQueue<Entry> entries = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();
    private final LongAdder dropped = new LongAdder();

    /**
     * A line and where it belongs.
     *
     * @param hour in which the request was finished
     */
    record Entry(String account, Service service, Instant hour, RequestKind kind, Instant started, String line) {}

    LogBuffer(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Takes a line if there is room for it. */
    void add(Entry entry) {
        int length = entry.line.length();
        if (bytes.addAndGet(length) > bytesMax) {
            bytes.addAndGet(-length);
            dropped.increment();
            return;
        }
        entries.add(entry);
    }

    /** Whether it is time to make room. */
    boolean isHalfFull() {
        return bytes.get() > bytesMax / 2;
    }

    /** Those that wait, in the order they came; no more than fit in at once, for others go on adding. */
    List<Entry> take() {
        List<Entry> taken = new ArrayList<>();
        long takenBytes = 0;
        while (takenBytes < bytesMax) {
            Entry next = entries.poll();
            if (next == null) {
                break;
            }
            bytes.addAndGet(-next.line.length());
            takenBytes += next.line.length();
            taken.add(next);
        }
        return taken;
    }

    /** Lines that were never written, since the start. */
    long dropped() {
        return dropped.sum();
    }

    void drop(int lines) {
        dropped.add(lines);
    }
}
