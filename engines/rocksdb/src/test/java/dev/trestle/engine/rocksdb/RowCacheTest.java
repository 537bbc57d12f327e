package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.Engine;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.Cesu8;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmValue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Loading, eviction and invalidation; {@link RowCacheContractTest} tests consistency too. */
class RowCacheTest {
    private static final long COLLECTION = 0x0101_0101_0101_0101L;
    private static final long OTHER_COLLECTION = 0x0101_0101_0101_0102L;
    private static final int RUN_ROWS = 10;
    private static final int LAST = 300;
    private static final RowMatcher ALL = RowMatcher.of(Filter.ALL);
    private static final RowMatcher SOME =
            RowMatcher.of(new Filter.Comparison("N", Operator.EQ, new EdmValue.Int32(1)));

    private Store store;

    @BeforeEach
    void open() throws RocksDBException {
        store = Store.inMemory(RocksEngineConfig.inMemory().withMemoryBytes(32L << 20));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static RowCache cache(long bytesMax, int patienceRows) {
        return new RowCache(new RowCache.Settings(bytesMax, RUN_ROWS, 1 << 20, patienceRows, Duration.ZERO));
    }

    private static RowCache eager() {
        return cache(1 << 20, 0);
    }

    private static Key key(String partition, int row) {
        return Key.of(COLLECTION, partition, String.format("%04d", row));
    }

    private static byte[] row(int number) {
        return new RowBuilder().put("N", new EdmValue.Int32(number)).build();
    }

    private void put(String partition, int first, int rows) throws RocksDBException {
        Batch batch = new Batch();
        for (int i = first; i < first + rows; i++) {
            batch.put(key(partition, i).bytes(), row(i));
        }
        try (WriteBatch writes = batch.toWriteBatch()) {
            store.write(writes);
        }
    }

    private static Scan scan(KeyRange range, int rows) {
        return new Scan(
                List.of(range), Filter.ALL, List.of(), new Scan.Limits(rows, Integer.MAX_VALUE, Duration.ofMinutes(1)));
    }

    private static Scan partition(String partition) {
        return scan(
                new KeyRange(Key.beforePartition(COLLECTION, partition), Key.afterPartition(COLLECTION, partition)),
                Integer.MAX_VALUE);
    }

    private static Scan rows(String partition, int first, int end) {
        return scan(
                new KeyRange(key(partition, first).bytes(), key(partition, end).bytes()), Integer.MAX_VALUE);
    }

    private static List<String> keys(Optional<RowCursor> found, Scan scan) throws RocksDBException {
        try (PageScan page = new PageScan(found.orElseThrow(), scan, ALL, () -> false, () -> 0)) {
            RowPage rows = page.finish();
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < rows.size(); i++) {
                keys.add(rows.key(i).partitionKey() + " " + rows.key(i).rowKey());
            }
            return keys;
        }
    }

    @Test
    void a_scan_is_answered_when_runs_cover_it_and_only_then() throws RocksDBException {
        put("p", 0, 25);
        RowCache cache = eager();
        Scan all = partition("p");
        assertThat(cache.find(all, ALL)).isEmpty();
        cache.fill(store, all);
        assertThat(cache.find(all, ALL)).isEmpty();
        assertThat(keys(cache.find(rows("p", 2, 9), ALL), rows("p", 2, 9)))
                .hasSize(7)
                .startsWith("p 0002");
        cache.fill(store, all);
        assertThat(cache.find(all, ALL)).isEmpty();
        cache.fill(store, all);
        assertThat(keys(cache.find(all, ALL), all)).hasSize(25).isSorted();
        assertThat(cache.find(scan(Key.collectionRange(OTHER_COLLECTION), 1), ALL))
                .isEmpty();
    }

    @Test
    void rows_before_the_one_that_was_asked_for_are_kept_with_it() throws RocksDBException {
        put("p", 0, 100);
        RowCache cache = eager();
        cache.fill(store, rows("p", 50, 52));
        assertThat(keys(cache.find(rows("p", 46, 56), ALL), rows("p", 46, 56))).hasSize(10);
        assertThat(cache.find(rows("p", 45, 52), ALL)).isEmpty();
        assertThat(cache.find(rows("p", 50, 57), ALL)).isEmpty();
    }

    @Test
    void a_page_needs_the_rows_it_returns_and_the_one_it_would_go_on_with() throws RocksDBException {
        put("p", 0, 100);
        RowCache cache = eager();
        KeyRange range = partition("p").ranges().get(0);
        cache.fill(store, partition("p"));
        assertThat(cache.find(scan(range, RUN_ROWS - 1), ALL)).isPresent();
        assertThat(cache.find(scan(range, RUN_ROWS), ALL)).isEmpty();
        assertThat(cache.find(scan(range, 1), SOME))
                .as("a filter may ask for all")
                .isEmpty();
    }

    @Test
    void that_there_is_nothing_is_known_as_well() throws RocksDBException {
        put("p", 0, 1);
        RowCache cache = eager();
        cache.fill(store, partition("p"));
        assertThat(keys(cache.find(partition("q"), ALL), partition("q"))).isEmpty();
        cache.beginWrite(List.of(key("q", 1)));
        assertThat(cache.find(partition("q"), ALL)).isEmpty();
    }

    @Test
    void a_write_takes_out_the_run_it_concerns_and_no_other() throws RocksDBException {
        put("p", 0, 20);
        RowCache cache = eager();
        cache.fill(store, partition("p"));
        cache.fill(store, partition("p"));
        assertThat(cache.find(partition("p"), ALL)).isPresent();
        cache.beginWrite(List.of(key("p", 15)));
        assertThat(cache.find(rows("p", 14, 16), ALL)).isEmpty();
        assertThat(cache.find(rows("p", 4, 6), ALL)).isPresent();
        cache.endWrite();
        assertThat(cache.find(rows("p", 14, 16), ALL)).isEmpty();
    }

    private static RowCache.Load begin(RowCache cache) {
        return cache.beginLoad(partition("p").ranges().get(0).from()).orElseThrow();
    }

    @Test
    void a_run_that_was_written_to_while_it_was_read_is_not_kept() throws RocksDBException {
        put("p", 0, 20);
        for (int written : new int[] {3, 15}) {
            RowCache cache = eager();
            RowCache.Load load = begin(cache);
            CachedRun run = cache.read(store, load);
            cache.beginWrite(List.of(key("p", written)));
            cache.endWrite();
            cache.endLoad(load, Optional.of(run));
            assertThat(cache.find(rows("p", 2, 4), ALL).isPresent()).isEqualTo(written == 15);
        }
    }

    @Test
    void a_run_that_was_begun_during_a_write_to_it_is_not_kept() throws RocksDBException {
        put("p", 0, 20);
        for (int written : new int[] {3, 15}) {
            RowCache cache = eager();
            cache.beginWrite(List.of(key("p", written)));
            cache.fill(store, partition("p"));
            assertThat(cache.find(rows("p", 2, 4), ALL).isPresent()).isEqualTo(written == 15);
            cache.endWrite();
        }
    }

    @Test
    void a_run_of_rows_that_are_being_removed_is_not_kept() throws RocksDBException {
        put("p", 0, 5);
        RowCache cache = eager();
        RowCache.Load load = begin(cache);
        CachedRun run = cache.read(store, load);
        cache.invalidate(Key.collectionRange(COLLECTION));
        cache.endLoad(load, Optional.of(run));
        assertThat(cache.bytes()).isZero();
        cache.fill(store, partition("p"));
        assertThat(cache.bytes()).isPositive();
        cache.invalidate(Key.collectionRange(OTHER_COLLECTION));
        assertThat(cache.bytes()).isPositive();
        cache.invalidate(Key.collectionRange(COLLECTION));
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void nothing_is_left_when_the_store_was_opened_anew() throws RocksDBException {
        put("p", 0, 20);
        RowCache cache = eager();
        cache.fill(store, partition("p"));
        RowCache.Load load = begin(cache);
        CachedRun run = cache.read(store, load);
        cache.clear();
        cache.endLoad(load, Optional.of(run));
        assertThat(cache.find(rows("p", 2, 4), ALL)).isEmpty();
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void rows_are_kept_only_after_they_were_read_several_times() {
        RowCache cache = cache(1 << 20, 100);
        for (int read = 0; read < 99; read += 33) {
            assertThat(cache.missed(partition("p"), 33)).isFalse();
            assertThat(cache.missed(partition("q"), 1)).isFalse();
        }
        assertThat(cache.missed(rows("p", 7, 8), 1)).as("of the same partition").isTrue();
        assertThat(cache.missed(partition("p"), 99)).as("counted anew").isFalse();
    }

    @Test
    void runs_take_no_more_than_they_may_and_those_go_that_nobody_reads() throws RocksDBException {
        put("p", 0, 1000);
        long bytesMax = 20_000;
        RowCache cache = cache(bytesMax, 0);
        Scan hot = rows("p", 2, 4);
        cache.fill(store, hot);
        for (int i = 20; i < 1000; i += RUN_ROWS) {
            assertThat(cache.find(hot, ALL)).as("in use").isPresent();
            cache.fill(store, rows("p", i, i + 1));
            assertThat(cache.bytes()).isBetween(1L, bytesMax);
        }
        assertThat(cache.find(rows("p", 22, 24), ALL)).as("not in use").isEmpty();
    }

    @Test
    void runs_are_loaded_ever_less_often_until_one_is_used() throws RocksDBException {
        put("p", 0, 1000);
        AtomicLong now = new AtomicLong();
        RowCache.Settings settings = new RowCache.Settings(1 << 20, RUN_ROWS, 1 << 20, 0, Duration.ofMillis(1));
        RowCache cache = new RowCache(settings, now::get);
        List<Integer> pauses = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            pauses.add(millisUntilLoad(cache, now, rows("p", 20 * i, 20 * i + 1)));
        }
        assertThat(pauses).containsExactly(0, 1, 2, 4, 8, 16, 32, 64, 64, 64, 64, 64);
        Scan last = rows("p", 220, 221);
        assertThat(cache.find(last, ALL)).isPresent();
        assertThat(millisUntilLoad(cache, now, rows("p", 300, 301))).isEqualTo(64);
        assertThat(millisUntilLoad(cache, now, rows("p", 320, 321))).isEqualTo(1);
    }

    /** Returns how long the cache refuses to load a run for the scan. */
    private int millisUntilLoad(RowCache cache, AtomicLong now, Scan scan) throws RocksDBException {
        int millis = 0;
        for (long before = cache.bytes(); ; millis++, now.addAndGet(1_000_000)) {
            cache.fill(store, scan);
            if (cache.bytes() > before) {
                return millis;
            }
        }
    }

    @Test
    void without_memory_nothing_is_kept() throws RocksDBException {
        put("p", 0, 5);
        RowCache cache = cache(0, 0);
        assertThat(cache.missed(partition("p"), 1_000_000)).isFalse();
        cache.fill(store, partition("p"));
        assertThat(cache.bytes()).isZero();
    }

    /**
     * The first and the last row of a partition always have the same number. There are many runs between them, so
     * that they are found at different times.
     */
    @Test
    void a_transaction_is_seen_whole_or_not_at_all_and_is_not_seen_again_without_it() throws Exception {
        int transactions = 3000;
        int readers = 3;
        RowCache.Settings settings = new RowCache.Settings(1 << 20, 1, 1 << 20, 0, Duration.ZERO);
        RocksEngineConfig config = RocksEngineConfig.inMemory().withMemoryBytes(32L << 20);
        ExecutorService threads = Executors.newFixedThreadPool(readers);
        try (RocksEngine engine = RocksEngine.open(config, settings, new PageCacheMonitor(), InstantSource.system())) {
            for (int i = 1; i < LAST; i++) {
                engine.commit(commit(List.of(new Write.Put(key("p", i), row(0), Precondition.NONE))))
                        .toCompletableFuture()
                        .get();
            }
            AtomicLong scans = new AtomicLong();
            AtomicInteger acknowledged = new AtomicInteger(-1);
            List<Future<?>> reading = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                reading.add(threads.submit(() -> {
                    while (acknowledged.get() < transactions) {
                        readWhole(engine, acknowledged.get());
                        scans.incrementAndGet();
                    }
                }));
            }
            for (int number = 0; number <= transactions; number++) {
                long until = scans.get() + number % 8;
                while (scans.get() < until && reading.stream().noneMatch(Future::isDone)) {
                    Thread.onSpinWait();
                }
                engine.commit(firstAndLast(number)).toCompletableFuture().get();
                acknowledged.set(number);
            }
            for (Future<?> reader : reading) {
                reader.get();
            }
            assertThat(pages(engine, "rowcache")).isPositive();
            assertThat(pages(engine, "store")).isPositive();
        } finally {
            threads.shutdownNow();
        }
    }

    private static Commit firstAndLast(int number) {
        return commit(List.of(
                new Write.Put(key("p", 0), row(number), Precondition.NONE),
                new Write.Put(key("p", LAST), row(number), Precondition.NONE)));
    }

    private static Commit commit(List<Write> writes) {
        return new Commit(COLLECTION, "p", writes);
    }

    private static void readWhole(Engine engine, int acknowledged) {
        RowPage page = engine.scan(partition("p")).toCompletableFuture().join();
        if (acknowledged >= 0) {
            assertThat(page.size()).isEqualTo(LAST + 1);
        }
        if (page.size() > LAST - 1) {
            assertThat(number(page, 0)).isEqualTo(number(page, page.size() - 1)).isGreaterThanOrEqualTo(acknowledged);
        }
    }

    private static int number(RowPage page, int index) {
        RowReader reader = new RowReader().reset(page.row(index));
        assertThat(reader.find(Cesu8.encode("N"))).isTrue();
        return reader.int32();
    }

    private static double pages(RocksEngine engine, String from) {
        return engine.telemetry().metrics().stream()
                .filter(figure ->
                        figure.name().equals("engine.pages") && figure.labels().containsValue(from))
                .mapToDouble(figure -> figure.value().getAsDouble())
                .sum();
    }
}
