package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * The floor of a durable write: appends to a log file at a given rate and syncs it, one sync for all records that are due.
 * No server on the same disk acknowledges writes faster than this.
 */
final class DiskLog {
    private static final String FILE = "disk-log";
    private static final int BUFFER_BYTES = 1 << 20;

    private final Path folder;

    DiskLog(Path folder) {
        this.folder = folder;
    }

    /** Returns how long each sync took, in nanoseconds. */
    Histogram syncs(Duration duration, double recordsPerSecond, int recordBytes) throws IOException {
        Path file = folder.resolve(FILE);
        try (FileChannel log = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            return append(log, duration.toNanos(), recordsPerSecond, recordBytes);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static Histogram append(FileChannel log, long durationNanos, double recordsPerSecond, int recordBytes)
            throws IOException {
        Histogram syncs = Round.newHistogram();
        ByteBuffer buffer = ByteBuffer.allocateDirect(Math.max(BUFFER_BYTES, recordBytes));
        long start = System.nanoTime();
        long written = 0;
        for (long elapsed = 0; elapsed < durationNanos; elapsed = System.nanoTime() - start) {
            long due = (long) (elapsed / 1e9 * recordsPerSecond) + 1 - written;
            if (due <= 0) {
                LockSupport.parkNanos((long) ((written / recordsPerSecond) * 1e9) - elapsed);
                continue;
            }
            write(log, buffer, due * recordBytes);
            written += due;
            long before = System.nanoTime();
            log.force(false);
            syncs.recordValue(System.nanoTime() - before);
        }
        return syncs;
    }

    private static void write(FileChannel log, ByteBuffer buffer, long bytes) throws IOException {
        for (long rest = bytes; rest > 0; ) {
            buffer.clear().limit((int) Math.min(rest, buffer.capacity()));
            rest -= buffer.limit();
            while (buffer.hasRemaining()) {
                log.write(buffer);
            }
        }
    }
}
