package dev.trestle.engine.rocksdb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Whether the operating system answers reads of files from its page cache, so that they need no disk and can run on an event
 * loop. Linux counts the bytes that a process had fetched from storage; while that number stands still, all reads were answered
 * from memory. The number is read at most ten times a second, and only when it is needed. After any read of the disk it has to
 * stand still for a second. Where the system has no such number, the answer is always no. Thread-safe.
 */
final class PageCacheMonitor {
    private static final Path PROCESS_IO = Path.of("/proc/self/io");
    private static final String FIELD = "read_bytes: ";
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Fewer bytes in an interval are a few reads, such as of a new file's index. */
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
     * A monitor of another process.
     *
     * @param processIo its file {@code io}
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

    /** Whether files have lately been read without the disk. */
    boolean isWarm() {
        long now = nanoTime.getAsLong();
        long next = nextNanos.get();
        if (now - next >= 0 && nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
            look(now);
        }
        return warm;
    }

    private synchronized void look(long now) {
        long before = bytes;
        bytes = bytesRead();
        if (bytes < 0 || bytes - before > NOTICEABLE_BYTES) {
            diskReadNanos = now;
        }
        warm = now - diskReadNanos >= STILL_NANOS;
    }

    /** Returns what the process has fetched from storage so far, or -1 if that is not known. */
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
