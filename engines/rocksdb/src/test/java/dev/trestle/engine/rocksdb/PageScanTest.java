package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PageScanTest {
    private static final long LIMIT = Duration.ofSeconds(5).toNanos();
    private static final long LEAST = Duration.ofMillis(20).toNanos();

    @Test
    void those_who_wait_share_the_time_of_one() {
        assertThat(PageScan.shareNanos(LIMIT, 0)).isEqualTo(LIMIT);
        assertThat(PageScan.shareNanos(LIMIT, 1)).isEqualTo(LIMIT / 2);
        assertThat(PageScan.shareNanos(LIMIT, 99)).isEqualTo(LIMIT / 100);
    }

    @Test
    void however_many_wait_a_page_gets_time_to_do_something() {
        assertThat(PageScan.shareNanos(LIMIT, 1000)).isEqualTo(LEAST);
    }

    @Test
    void a_limit_that_is_shorter_still_holds() {
        assertThat(PageScan.shareNanos(0, 10)).isZero();
        assertThat(PageScan.shareNanos(LEAST / 2, 10)).isEqualTo(LEAST / 2);
    }
}
