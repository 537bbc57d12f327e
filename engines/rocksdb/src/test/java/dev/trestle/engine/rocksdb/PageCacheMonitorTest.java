package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageCacheMonitorTest {
    @TempDir
    private Path folder;

    private long nanos;
    private Path io;

    @BeforeEach
    void start() throws IOException {
        io = folder.resolve("io");
        fetched(1_000_000);
    }

    private void fetched(long bytes) throws IOException {
        Files.writeString(io, "rchar: 99\nread_bytes: " + bytes + "\nwrite_bytes: 7\n");
    }

    private PageCacheMonitor monitor() {
        return new PageCacheMonitor(io, () -> nanos);
    }

    /** Polls ten times a second for this long, and returns the last result. */
    private boolean after(PageCacheMonitor monitor, Duration time) {
        boolean warm = monitor.isWarm();
        for (long end = nanos + time.toNanos(); nanos < end; ) {
            nanos += Duration.ofMillis(100).toNanos();
            warm = monitor.isWarm();
        }
        return warm;
    }

    @Test
    void the_page_cache_is_warm_after_a_second_without_a_read_of_the_disk() {
        PageCacheMonitor monitor = monitor();
        assertThat(after(monitor, Duration.ofMillis(900))).isFalse();
        assertThat(after(monitor, Duration.ofMillis(100))).isTrue();
    }

    @Test
    void a_read_of_the_disk_is_noticed_within_a_tenth_of_a_second() throws IOException {
        PageCacheMonitor monitor = monitor();
        assertThat(after(monitor, Duration.ofSeconds(2))).isTrue();
        fetched(1_200_000);
        assertThat(after(monitor, Duration.ofMillis(100))).isFalse();
        assertThat(after(monitor, Duration.ofMillis(900))).isFalse();
        assertThat(after(monitor, Duration.ofMillis(100))).isTrue();
    }

    @Test
    void a_few_small_reads_change_nothing() throws IOException {
        PageCacheMonitor monitor = monitor();
        after(monitor, Duration.ofSeconds(2));
        fetched(1_030_000);
        assertThat(after(monitor, Duration.ofMillis(100))).isTrue();
    }

    @Test
    void the_file_is_read_ten_times_a_second_at_most() throws IOException {
        PageCacheMonitor monitor = monitor();
        after(monitor, Duration.ofSeconds(2));
        fetched(9_000_000);
        nanos += Duration.ofMillis(99).toNanos();
        assertThat(monitor.isWarm()).isTrue();
        nanos += Duration.ofMillis(1).toNanos();
        assertThat(monitor.isWarm()).isFalse();
    }

    @Test
    void a_system_without_the_figure_is_never_warm() throws IOException {
        Files.writeString(io, "rchar: 99\n");
        assertThat(after(monitor(), Duration.ofSeconds(5))).isFalse();
        Files.delete(io);
        assertThat(after(monitor(), Duration.ofSeconds(5))).isFalse();
    }

    @Test
    void linux_counts_what_this_process_reads() {
        assertThat(Path.of("/proc/self/io")).exists().content().contains("read_bytes: ");
    }
}
