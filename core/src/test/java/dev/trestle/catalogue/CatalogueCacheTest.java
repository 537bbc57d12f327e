package dev.trestle.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CatalogueCacheTest {
    private static final int ENTRIES_MAX = 100;
    private static final Duration TTL = Duration.ofSeconds(5);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
    private final CatalogueCache<String> cache = new CatalogueCache<>(ENTRIES_MAX, TTL, nanos::get);

    private void put(String name, String value) {
        cache.put(name, value, cache.snapshot());
    }

    @Test
    void an_entry_is_found_until_it_is_changed_or_evicted() {
        assertThat(cache.find("a")).isEmpty();
        put("a", "1");
        put("b", "2");
        assertThat(cache.find("a")).contains("1");
        cache.changed("a");
        assertThat(cache.find("a")).isEmpty();
        assertThat(cache.find("b")).contains("2");
        cache.evict("b");
        assertThat(cache.find("b")).isEmpty();
    }

    @Test
    void what_was_read_before_a_change_is_not_cached_after_it() {
        CatalogueCache.Snapshot before = cache.snapshot();
        cache.changed("a");
        cache.put("a", "old", before);
        assertThat(cache.find("a")).isEmpty();
        cache.put("a", "new", cache.snapshot());
        cache.put("a", "old", before);
        assertThat(cache.find("a")).contains("new");
    }

    @Test
    void the_lifetime_counts_from_before_the_read() {
        CatalogueCache.Snapshot before = cache.snapshot();
        nanos.addAndGet(TTL.toNanos() / 2);
        cache.put("a", "1", before);
        nanos.addAndGet(TTL.toNanos() / 2 - 1);
        assertThat(cache.find("a")).contains("1");
        nanos.incrementAndGet();
        assertThat(cache.find("a")).isEmpty();
        put("a", "2");
        assertThat(cache.find("a")).contains("2");
    }

    @Test
    void a_full_cache_evicts_some_entries_and_keeps_the_others() {
        IntStream.range(0, 10 * ENTRIES_MAX).forEach(i -> put("name" + i, "value" + i));
        assertThat(cache.size()).isEqualTo(ENTRIES_MAX);
        assertThat(IntStream.range(0, 10 * ENTRIES_MAX)
                        .filter(i -> cache.find("name" + i)
                                .filter(("value" + i)::equals)
                                .isPresent()))
                .hasSize(ENTRIES_MAX);
    }
}
