package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.PartitionRanges;
import dev.trestle.engine.PartitionRanges.Range;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmValue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A partition that moves between servers while it is read in long pages and written in transactions. */
class MovingRangeIT {
    private static final long COLLECTION = 0x0101_0101_0101_0106L;
    private static final String PARTITION = "p";
    private static final Duration TIME_MAX = Duration.ofMinutes(1);
    private static final int ROWS = 5000;
    private static final int TRANSACTION_ROWS = 50;
    private static final int MOVES = 8;
    private static final int TRANSACTIONS_BETWEEN_MOVES = 10;

    private final AtomicInteger transactions = new AtomicInteger();
    private HBaseEngine engine;
    private PartitionRanges ranges;

    @BeforeEach
    void open() throws Exception {
        engine = (HBaseEngine) new TestCluster.Fresh(true).open(InstantSource.system());
        ranges = engine.ranges();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(TIME_MAX.toSeconds(), TimeUnit.SECONDS);
    }

    /** One row in so many belongs to the transactions. */
    private static boolean isOfTransactions(int row) {
        return row % (ROWS / TRANSACTION_ROWS) == 0;
    }

    private void write(int from, int to, boolean all, int number) throws Exception {
        List<Write> writes = new ArrayList<>();
        for (int i = from; i < to; i++) {
            if (all || isOfTransactions(i)) {
                byte[] row =
                        new RowBuilder().put("N", new EdmValue.Int32(number)).build();
                Key key = Key.of(COLLECTION, PARTITION, String.format("%06d", i));
                writes.add(new Write.Put(key, row, Precondition.NONE));
            }
        }
        assertThat(await(engine.commit(new Commit(COLLECTION, PARTITION, writes))))
                .isInstanceOf(CommitResult.Committed.class);
    }

    /** Writes increasing numbers, each to all rows of the transactions, until stopped. */
    private void writeUntil(AtomicBoolean ended) {
        try {
            for (int number = 1; !ended.get(); number++) {
                write(0, ROWS, false, number);
                transactions.set(number);
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void move() {
        try {
            for (int i = 0; i < MOVES; i++) {
                int next = transactions.get() + TRANSACTIONS_BETWEEN_MOVES;
                Awaitility.await().atMost(TIME_MAX).until(() -> transactions.get() >= next);
                Range range = await(ranges.list()).get(0);
                await(ranges.move(range.id(), Optional.empty()));
                assertThat(await(ranges.list()).get(0).server()).isNotEqualTo(range.server());
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Reads the partition once; returns the number of pages that ended early. */
    private int readAll() throws Exception {
        List<KeyRange> rest = List.of(Key.collectionRange(COLLECTION));
        int rows = 0;
        int pages = 0;
        while (!rest.isEmpty()) {
            RowPage page = await(engine.scan(new Scan(
                    rest,
                    Filter.ALL,
                    List.of(),
                    new Scan.Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofMinutes(1)))));
            assertThat(numbers(page)).as("transactions seen in one page").hasSizeLessThanOrEqualTo(1);
            rows += page.size();
            pages++;
            rest = page.resume()
                    .map(key -> List.of(Key.collectionRange(COLLECTION).startingAt(key.bytes())))
                    .orElse(List.of());
        }
        assertThat(rows).isEqualTo(ROWS);
        return pages - 1;
    }

    private static Set<Integer> numbers(RowPage page) {
        Set<Integer> numbers = new HashSet<>();
        for (int i = 0; i < page.size(); i++) {
            if (isOfTransactions(Integer.parseInt(page.key(i).rowKey()))) {
                RowReader reader = new RowReader().reset(page.row(i));
                assertThat(reader.next()).isTrue();
                numbers.add(reader.int32());
            }
        }
        return numbers;
    }

    @Test
    void a_page_shows_every_transaction_whole_or_not_at_all_when_its_range_moves_meanwhile() throws Exception {
        for (int i = 0; i < ROWS; i += 100) {
            write(i, i + 100, true, 0);
        }
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> writeUntil(ended));
        CompletableFuture<Void> moving = CompletableFuture.runAsync(this::move);
        int brokenOff = 0;
        try {
            while (!moving.isDone()) {
                brokenOff += readAll();
            }
        } finally {
            ended.set(true);
        }
        await(moving);
        await(writing);
        assertThat(brokenOff).as("pages during which the range moved").isPositive();
    }
}
