package dev.trestle.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskLogTest {
    @TempDir
    private Path folder;

    @Test
    void records_that_are_due_share_a_sync_and_the_file_is_deleted() throws IOException {
        Histogram syncs = new DiskLog(folder).syncs(Duration.ofMillis(200), 50_000, 700);
        assertThat(syncs.getTotalCount()).isBetween(1L, 10_000L);
        assertThat(syncs.getMaxValue()).isPositive();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void each_record_has_its_own_sync_at_a_low_rate() throws IOException {
        Histogram syncs = new DiskLog(folder).syncs(Duration.ofMillis(300), 20, 700);
        assertThat(syncs.getTotalCount()).isBetween(1L, 7L);
    }
}
