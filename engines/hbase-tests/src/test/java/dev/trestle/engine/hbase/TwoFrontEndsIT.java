package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EdmValue;
import dev.trestle.testkit.EngineTarget;
import dev.trestle.testkit.ManualClock;
import dev.trestle.testkit.history.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two engines on one table, with clocks that differ by hours. */
class TwoFrontEndsIT {
    private static final long COLLECTION = 0x0101_0101_0101_0102L;
    private static final Key KEY = Key.of(COLLECTION, "p", "r");

    private final ManualClock ahead = new ManualClock(Instant.parse("2026-01-01T12:00:00Z"));
    private final ManualClock behind = new ManualClock(Instant.parse("2026-01-01T06:00:00Z"));
    private Engine first;
    private Engine second;

    @BeforeEach
    void open() throws Exception {
        TestCluster.Fresh rows = new TestCluster.Fresh();
        first = rows.open(ahead);
        second = rows.open(behind);
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private static CommitResult commit(Engine engine, Write write) throws Exception {
        return await(engine.commit(new Commit(COLLECTION, "p", List.of(write))));
    }

    private static byte[] row(int value) {
        return new RowBuilder().put("N", new EdmValue.Int32(value)).build();
    }

    @Test
    void a_row_deleted_by_one_and_inserted_again_by_the_other_is_there() throws Exception {
        for (int i = 0; i < 200; i++) {
            assertThat(commit(first, new Write.Put(KEY, row(i), Precondition.ABSENT)))
                    .isInstanceOf(CommitResult.Committed.class);
            assertThat(commit(first, new Write.Delete(KEY, Precondition.PRESENT)))
                    .isInstanceOf(CommitResult.Committed.class);
            assertThat(commit(second, new Write.Put(KEY, row(-i), Precondition.ABSENT)))
                    .isInstanceOf(CommitResult.Committed.class);
            assertThat(await(first.read(KEY))).as("round %s", i).isPresent();
            assertThat(commit(second, new Write.Delete(KEY, Precondition.PRESENT)))
                    .isInstanceOf(CommitResult.Committed.class);
            assertThat(await(first.read(KEY))).as("round %s", i).isEmpty();
        }
    }

    @Test
    void a_row_that_both_delete_at_once_is_deleted_by_one() throws Exception {
        for (int i = 0; i < 100; i++) {
            commit(first, new Write.Put(KEY, row(i), Precondition.ABSENT));
            Commit deletion = new Commit(COLLECTION, "p", List.of(new Write.Delete(KEY, Precondition.PRESENT)));
            CompletionStage<CommitResult> one = first.commit(deletion);
            CompletionStage<CommitResult> other = second.commit(deletion);
            assertThat(List.of(
                            await(one) instanceof CommitResult.Committed,
                            await(other) instanceof CommitResult.Committed))
                    .as("round %s", i)
                    .containsExactlyInAnyOrder(true, false);
        }
    }

    @Test
    void versions_of_a_row_grow_whoever_writes_it() throws Exception {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            CommitResult result = commit(i % 2 == 0 ? first : second, new Write.Put(KEY, row(i), Precondition.NONE));
            long version = ((CommitResult.Committed) result).version();
            assertThat(version).isGreaterThan(last);
            last = version;
        }
    }

    @Test
    void concurrent_operations_through_both_happen_as_if_one_after_the_other() throws Exception {
        long seed = System.nanoTime();
        AtomicInteger client = new AtomicInteger();
        Workload workload = new Workload(seed, 8, 2, 3);
        workload.run(() -> new EngineTarget(client.getAndIncrement() % 2 == 0 ? first : second), 150);
        assertThat(workload.history().violation()).as("seed %s", seed).isEmpty();
    }

    @Test
    void counters_incremented_through_both_lose_nothing() throws Exception {
        commit(first, new Write.Put(KEY, row(0), Precondition.NONE));
        List<Thread> clients = IntStream.range(0, 16)
                .mapToObj(i -> new Thread(() -> increment(i % 2 == 0 ? first : second, 10)))
                .toList();
        clients.forEach(Thread::start);
        for (Thread thread : clients) {
            thread.join(Duration.ofMinutes(1).toMillis());
        }
        assertThat(value(await(first.read(KEY)).orElseThrow())).isEqualTo(160);
    }

    private static void increment(Engine engine, int times) {
        try {
            for (int done = 0; done < times; ) {
                byte[] current = await(engine.read(KEY)).orElseThrow();
                CommitResult result = commit(
                        engine,
                        new Write.Put(KEY, row(value(current) + 1), Precondition.versionEquals(Rows.version(current))));
                if (result instanceof CommitResult.Committed) {
                    done++;
                }
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static int value(byte[] row) {
        RowReader reader = new RowReader().reset(row);
        assertThat(reader.next()).isTrue();
        return reader.int32();
    }
}
