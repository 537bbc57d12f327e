package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Durability;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.EngineLimits;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Behaviour of this engine only; everything else is in the contract. */
class RocksEngineTest {
    private static final long COLLECTION = -1;
    private static final long MEMORY_BYTES = 32L << 20;
    private static final Scan EVERYTHING = new Scan(
            List.of(Key.collectionRange(COLLECTION)),
            Filter.ALL,
            List.of(),
            new Scan.Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofMinutes(1)));

    @TempDir
    private Path temporary;

    @Test
    void an_engine_in_memory_leaves_nothing_on_the_disk() throws Exception {
        try (Engine engine = RocksEngine.open(inMemory(), InstantSource.system())) {
            engine.commit(insertion("r")).toCompletableFuture().get();
            assertThat(Files.exists(Path.of(Store.IN_MEMORY_PATH))).isFalse();
        }
    }

    @Test
    void a_folder_in_use_is_refused_until_it_is_closed() {
        RocksEngineConfig config = RocksEngineConfig.at(temporary).withMemoryBytes(MEMORY_BYTES);
        try (Engine first = RocksEngine.open(config, InstantSource.system())) {
            assertThat(first).isNotNull();
            assertThatThrownBy(() -> RocksEngine.open(config, InstantSource.system()))
                    .isInstanceOf(EngineException.class)
                    .hasMessageContaining("Another Trestle server");
        }
        RocksEngine.open(config, InstantSource.system()).close();
    }

    @Test
    void damaged_files_are_refused_as_corrupt_and_the_folder_is_let_go() throws Exception {
        RocksEngineConfig config = RocksEngineConfig.at(temporary).withMemoryBytes(MEMORY_BYTES);
        RocksEngine.open(config, InstantSource.system()).close();
        Files.writeString(temporary.resolve("rows/CURRENT"), "nonsense");
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> RocksEngine.open(config, InstantSource.system()))
                    .isInstanceOfSatisfying(
                            EngineException.class, e -> assertThat(e.kind()).isEqualTo(EngineException.Kind.CORRUPT));
        }
    }

    @Test
    void a_row_that_is_not_in_memory_is_read_from_the_disk() throws Exception {
        RocksEngineConfig config = RocksEngineConfig.at(temporary).withMemoryBytes(MEMORY_BYTES);
        try (Engine engine = RocksEngine.open(config, InstantSource.system())) {
            engine.commit(insertion("r")).toCompletableFuture().get();
        }
        // Opening twice moves the row from the log to an SST file that is not cached.
        RocksEngine.open(config, InstantSource.system()).close();
        try (Engine engine = RocksEngine.open(config, InstantSource.system())) {
            CompletableFuture<Optional<byte[]>> cold = engine.read(key("r")).toCompletableFuture();
            assertThat(cold.get()).isPresent();
            CompletableFuture<Optional<byte[]>> warm = engine.read(key("r")).toCompletableFuture();
            assertThat(warm).as("answered on the caller's thread").isDone();
            assertThat(warm.get()).hasValue(cold.get().orElseThrow());
        }
    }

    @Test
    void commits_past_the_queue_are_refused_as_overload() throws Exception {
        CountDownLatch committing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        InstantSource holdingClock = () -> {
            committing.countDown();
            awaitQuietly(goOn);
            return Instant.EPOCH;
        };
        RocksEngineConfig config = new RocksEngineConfig(
                Optional.empty(),
                Durability.SYNCED,
                MEMORY_BYTES,
                0,
                new EngineLimits(2, 1 << 20, 1, 1, OptionalInt.of(1), OptionalInt.of(1)));
        try (Engine engine = RocksEngine.open(config, holdingClock)) {
            CompletableFuture<CommitResult> first =
                    engine.commit(insertion("1")).toCompletableFuture();
            committing.await();
            CompletableFuture<CommitResult> second =
                    engine.commit(insertion("2")).toCompletableFuture();
            CompletableFuture<CommitResult> third =
                    engine.commit(insertion("3")).toCompletableFuture();
            CompletableFuture<CommitResult> fourth =
                    engine.commit(insertion("4")).toCompletableFuture();
            assertThat(overloaded(fourth)).isCompletedWithValue(true);
            goOn.countDown();
            assertThat(List.of(first.get(), second.get(), third.get()))
                    .allMatch(CommitResult.Committed.class::isInstance);
        }
    }

    private static CompletableFuture<Boolean> overloaded(CompletableFuture<?> stage) {
        return stage.handle((value, failure) ->
                failure instanceof EngineException e && e.kind() == EngineException.Kind.OVERLOADED);
    }

    @Test
    void reads_and_scans_that_race_with_close_are_answered() throws Exception {
        int rounds = 15;
        int callers = 4;
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            for (int round = 0; round < rounds; round++) {
                Engine engine = RocksEngine.open(inMemory(), InstantSource.system());
                for (int i = 0; i < 10; i++) {
                    engine.commit(insertion("r" + i)).toCompletableFuture().get();
                }
                CountDownLatch running = new CountDownLatch(callers);
                List<Future<?>> calling = new ArrayList<>();
                for (int i = 0; i < callers; i++) {
                    calling.add(threads.submit(() -> callUntilClosed(engine, running)));
                }
                running.await();
                engine.close();
                for (Future<?> caller : calling) {
                    caller.get(30, TimeUnit.SECONDS);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void callUntilClosed(Engine engine, CountDownLatch running) {
        boolean open = true;
        while (open) {
            List<CompletableFuture<?>> answers = List.of(
                    engine.read(key("r1")).toCompletableFuture(),
                    engine.scan(EVERYTHING).toCompletableFuture(),
                    engine.read(key("r2")).toCompletableFuture(),
                    engine.scan(EVERYTHING).toCompletableFuture());
            running.countDown();
            for (CompletableFuture<?> answer : answers) {
                open &= answer.handle((value, failure) -> {
                            assertThat(failure == null || failure instanceof EngineException)
                                    .isTrue();
                            return failure == null;
                        })
                        .join();
            }
        }
    }

    private static RocksEngineConfig inMemory() {
        return RocksEngineConfig.inMemory().withMemoryBytes(MEMORY_BYTES);
    }

    private static Key key(String rowKey) {
        return Key.of(COLLECTION, "p", rowKey);
    }

    private static Commit insertion(String rowKey) {
        byte[] row = new RowBuilder().put("N", new EdmValue.Text("value")).build();
        return new Commit(COLLECTION, "p", List.of(new Write.Put(key(rowKey), row, Precondition.ABSENT)));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
