package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitObserver;
import dev.trestle.engine.Metric;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RocksTelemetryTest {
    private static final long COLLECTION = -1;

    private record Group(int commits, int rows, long bytes, long nanos) {}

    @Test
    void every_figure_is_a_number_while_the_engine_is_open_and_none_after() {
        RocksEngine engine = open();
        List<Metric> figures = engine.telemetry().metrics();

        assertThat(figures)
                .allSatisfy(figure -> assertThat(figure.value().getAsDouble())
                        .as(figure.name())
                        .isNotNaN()
                        .isNotNegative());
        engine.close();
        assertThat(value(figures, "rocksdb.keys")).isNaN();
        assertThat(value(figures, "engine.commits.queued")).isZero();
    }

    @Test
    void rows_written_show_in_the_figures() throws Exception {
        try (RocksEngine engine = open()) {
            engine.commit(insertion(10)).toCompletableFuture().get();
            engine.read(key(0)).toCompletableFuture().get();

            List<Metric> figures = engine.telemetry().metrics();
            assertThat(value(figures, "rocksdb.keys")).isGreaterThanOrEqualTo(10);
            assertThat(value(figures, "rocksdb.memtables.bytes")).isPositive();
            assertThat(value(figures, "engine.reads")).as("from memory").isEqualTo(1);
        }
    }

    @Test
    void a_group_is_told_with_its_rows_and_a_refused_one_is_not() throws Exception {
        BlockingQueue<Group> groups = new LinkedBlockingQueue<>();
        try (RocksEngine engine = open()) {
            engine.telemetry()
                    .observe((commits, rows, bytes, nanos) -> groups.add(new Group(commits, rows, bytes, nanos)));
            engine.commit(insertion(3)).toCompletableFuture().get();
            Group first = groups.poll(1, TimeUnit.MINUTES);
            engine.commit(insertion(3)).toCompletableFuture().get();
            engine.commit(deletion()).toCompletableFuture().get();
            Group second = groups.poll(1, TimeUnit.MINUTES);

            assertThat(first).isNotNull();
            assertThat(first.commits()).isEqualTo(1);
            assertThat(first.rows()).isEqualTo(3);
            assertThat(first.bytes()).isPositive();
            assertThat(first.nanos()).isPositive();
            assertThat(second).isNotNull();
            assertThat(second.rows()).isEqualTo(1);
        }
    }

    @Test
    void an_observer_that_fails_harms_nobody() throws Exception {
        try (RocksEngine engine = open()) {
            engine.telemetry().observe((commits, rows, bytes, nanos) -> {
                throw new IllegalStateException("ours");
            });
            engine.commit(insertion(1)).toCompletableFuture().get();
            engine.telemetry().observe(CommitObserver.NONE);
            engine.commit(deletion()).toCompletableFuture().get();

            assertThat(engine.read(key(0)).toCompletableFuture().get()).isEmpty();
        }
    }

    private static RocksEngine open() {
        return RocksEngine.open(RocksEngineConfig.inMemory().withMemoryBytes(32L << 20), InstantSource.system());
    }

    private static double value(List<Metric> figures, String name) {
        return figures.stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value()
                .getAsDouble();
    }

    private static Key key(int row) {
        return Key.of(COLLECTION, "p", "r" + row);
    }

    private static Commit insertion(int rows) {
        return new Commit(
                COLLECTION,
                "p",
                IntStream.range(0, rows)
                        .<Write>mapToObj(row -> new Write.Put(
                                key(row),
                                new RowBuilder()
                                        .put("A", new EdmValue.Int32(row))
                                        .build(),
                                Precondition.ABSENT))
                        .toList());
    }

    private static Commit deletion() {
        return new Commit(COLLECTION, "p", List.of(new Write.Delete(key(0), Precondition.NONE)));
    }
}
