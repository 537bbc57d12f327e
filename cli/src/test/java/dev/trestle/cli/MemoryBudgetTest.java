package dev.trestle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.StorageConfig;
import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.http.HttpLimits;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final long MIB = 1L << 20;

    /** As the launcher sets it. */
    private static final long HEAP = 384 * MIB;

    @Test
    void by_default_all_parts_and_what_the_allocator_loses_fit_into_a_gigabyte() {
        long engine = MemoryBudget.of(1024 * MIB, HEAP).engineBytes();

        assertThat(engine / MIB).isEqualTo(358);
        assertThat(HEAP + MemoryBudget.SOCKET_BYTES + 128 * MIB + engine / 4 * 5)
                .isLessThanOrEqualTo(1024 * MIB);
    }

    @Test
    void what_is_given_beyond_goes_to_the_engine() {
        long more = MemoryBudget.of(8192 * MIB, HEAP).engineBytes()
                - MemoryBudget.of(1024 * MIB, HEAP).engineBytes();

        assertThat(more).isBetween(7168 * MIB / 5 * 4 - 5, 7168 * MIB / 5 * 4 + 5);
    }

    @Test
    void too_little_is_refused_with_what_would_be_enough() {
        assertThatThrownBy(() -> MemoryBudget.of(512 * MIB, HEAP))
                .isInstanceOf(ConfigException.class)
                .hasMessage("--memory 512m is too little: the Java heap may take 384m, sockets and Java itself take"
                        + " 192m, and the engine needs some. Give at least --memory 616m, or make the heap smaller, as"
                        + " with TRESTLE_JAVA_OPTS=-Xmx256m.");
        assertThat(MemoryBudget.of(616 * MIB, HEAP).engineBytes()).isGreaterThanOrEqualTo(32 * MIB - 5);
        assertThat(MemoryBudget.of(512 * MIB, 256 * MIB).engineBytes()).isPositive();
    }

    @Test
    void limits_that_could_fill_the_heap_are_refused() {
        MemoryBudget budget = MemoryBudget.of(1024 * MIB, HEAP);
        budget.check(HttpConfig.DEFAULT);

        assertThatThrownBy(() -> budget.check(new HttpConfig(HttpLimits.CONNECTIONS_MAX, 256 * MIB, RateLimits.NONE)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "--max-request-memory 256m and --max-response-memory 64m do not fit into a Java heap of 384m:"
                                + " twice the first and the second together may be 288m. Make them smaller, or the heap larger,"
                                + " as with TRESTLE_JAVA_OPTS=-Xmx1g and a larger --memory.");
    }

    @Test
    void the_default_limits_fit_into_the_smaller_heap_that_is_advised() {
        MemoryBudget.of(1024 * MIB, 256 * MIB).check(HttpConfig.DEFAULT);
    }

    @Test
    void rows_get_a_sixth_of_the_heap_or_what_the_limits_leave() {
        assertThat(MemoryBudget.of(1024 * MIB, HEAP).rowCacheBytes(HttpConfig.DEFAULT))
                .isEqualTo(64 * MIB);
        HttpConfig larger = new HttpConfig(HttpLimits.CONNECTIONS_MAX, 100 * MIB, RateLimits.NONE);
        assertThat(MemoryBudget.of(1024 * MIB, HEAP).rowCacheBytes(larger))
                .isEqualTo(288 * MIB - 2 * 100 * MIB - larger.responseBytesMax());
        assertThat(MemoryBudget.of(1024 * MIB, 256 * MIB).rowCacheBytes(HttpConfig.DEFAULT))
                .isZero();
    }

    @Test
    void the_heap_of_this_process_is_known() {
        assertThat(MemoryBudget.heapOfThisProcess())
                .isGreaterThanOrEqualTo(Runtime.getRuntime().maxMemory());
    }

    @Test
    void the_engine_is_told_its_memory_queues_and_threads() {
        ServeConfig config = TrestleCommand.run(
                        List.of("serve", "--max-queued-commits=2", "--max-queued-scans=3", "--scan-threads=5"),
                        Map.of())
                .config()
                .orElseThrow();
        StorageConfig engine = config.toStorageConfig(MemoryBudget.of(1024 * MIB, HEAP));

        assertThat(engine.memoryBytes() / MIB).isEqualTo(358);
        assertThat(engine.rowCacheBytes()).isEqualTo(64 * MIB);
        assertThat(engine.limits().commitsQueuedMax()).isEqualTo(2);
        assertThat(engine.limits().scansQueuedMax()).isEqualTo(3);
        assertThat(engine.limits().readsQueuedMax()).isEqualTo(1024);
        assertThat(engine.limits().scanThreads()).hasValue(5);
        assertThat(engine.limits().readThreads()).isEmpty();
    }
}
