package dev.trestle.server.analytics;

import dev.trestle.catalogue.Service;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** A bounded buffer of log lines; lines that do not fit are dropped and counted. Thread-safe. */
final class LogBuffer {
    private final long bytesMax;
    private final ConcurrentLinkedQueue<Entry> entries = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();
    private final LongAdder dropped = new LongAdder();

    /**
     * A line with the attributes that determine its blob.
     *
     * @param hour the hour in which the request finished
     */
    record Entry(String account, Service service, Instant hour, RequestKind kind, Instant started, String line) {}

    LogBuffer(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Adds a line, or drops it if the buffer is full. */
    void add(Entry entry) {
        int length = entry.line.length();
        if (bytes.addAndGet(length) > bytesMax) {
            bytes.addAndGet(-length);
            dropped.increment();
            return;
        }
        entries.add(entry);
    }

    /** Whether the buffer should be written early. */
    boolean isHalfFull() {
        return bytes.get() > bytesMax / 2;
    }

    /** Removes and returns the lines in order, at most one buffer of them, because others may add concurrently. */
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

    /** Returns the number of dropped lines since the start. */
    long dropped() {
        return dropped.sum();
    }
}
