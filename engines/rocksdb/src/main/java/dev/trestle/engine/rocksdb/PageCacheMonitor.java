package dev.trestle.engine.rocksdb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Detects whether the operating system serves file reads from its page cache, so that they need no disk and can
 * run on an event loop. Linux counts the bytes that a process has fetched from storage; while the counter does not
 * change, all reads are served from memory. The counter is read at most ten times a second, on demand. After a
 * disk read it must not change for a second. Without such a counter, the page cache is never considered warm.
 * Thread-safe.
 */
final class PageCacheMonitor {
    private static final Path PROCESS_IO = Path.of("/proc/self/io");
    private static final String FIELD = "read_bytes: ";
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long UNCHANGED_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Fewer bytes in an interval are occasional reads, such as of the index of a new file. */
    private static final long NOTICEABLE_BYTES = 64 * 1024;

    private final Path processIo;
    private final LongSupplier nanoTime;
    private final AtomicLong nextNanos;
    private long bytes;
    private long diskReadNanos;
    private volatile boolean warm;

    PageCacheMonitor() {
        this(PROCESS_IO, System::nanoTime);
    }

    /**
     * Creates a monitor of any process.
     *
     * @param processIo its {@code io} file in {@code /proc}
     * @param nanoTime as {@link System#nanoTime}
     */
    PageCacheMonitor(Path processIo, LongSupplier nanoTime) {
        this.processIo = processIo;
        this.nanoTime = nanoTime;
        long now = nanoTime.getAsLong();
        this.nextNanos = new AtomicLong(now + INTERVAL_NANOS);
        this.diskReadNanos = now;
        this.bytes = bytesRead();
    }

    /** Returns whether recent file reads needed no disk. */
    boolean isWarm() {
        long now = nanoTime.getAsLong();
        long next = nextNanos.get();
        if (now - next >= 0 && nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
            update(now);
        }
        return warm;
    }

    private synchronized void update(long now) {
        long before = bytes;
        bytes = bytesRead();
        if (bytes < 0 || bytes - before > NOTICEABLE_BYTES) {
            diskReadNanos = now;
        }
        warm = now - diskReadNanos >= UNCHANGED_NANOS;
    }

    /** Returns how many bytes the process has fetched from storage, or -1 if unknown. */
    private long bytesRead() {
        try {
            return Files.readString(processIo, StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> line.startsWith(FIELD))
                    .mapToLong(line -> Long.parseLong(line.substring(FIELD.length())))
                    .findFirst()
                    .orElse(-1);
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }
}
