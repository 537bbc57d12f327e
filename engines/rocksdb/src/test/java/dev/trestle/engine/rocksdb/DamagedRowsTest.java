package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.Commit;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Metric;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowVerification;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SST files with a flipped bit. */
class DamagedRowsTest {
    private static final long COLLECTION = -1;
    private static final int ROWS = 100;

    @TempDir
    private Path data;

    private RocksEngine open() {
        return RocksEngine.open(
                RocksEngineConfig.at(data).withMemoryBytes(RocksEngineConfig.MEMORY_BYTES_MIN), InstantSource.system());
    }

    private static Key key(int row) {
        return Key.of(COLLECTION, "p", "r" + row);
    }

    private static Commit insertion(int row, Precondition precondition) {
        byte[] bytes = new RowBuilder()
                .put("Filler", new EdmValue.Text("x".repeat(1000)))
                .build();
        return new Commit(COLLECTION, "p", List.of(new Write.Put(key(row), bytes, precondition)));
    }

    /** Creates rows in an SST file: replaying the log at a start writes one. */
    private Path write() throws IOException {
        try (RocksEngine engine = open()) {
            for (int row = 0; row < ROWS; row++) {
                await(engine.commit(insertion(row, Precondition.NONE)));
            }
        }
        open().close();
        try (Stream<Path> files = Files.list(data.resolve("rows"))) {
            return files.filter(file -> file.toString().endsWith(".sst"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void flipBit(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        // After the first block, which the engine reads when it is opened.
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static void assertDamaged(CompletionStage<?> stage) {
        Throwable failure = await(stage.handle((value, thrown) -> thrown));
        assertThat(failure)
                .isInstanceOfSatisfying(
                        EngineException.class,
                        known -> assertThat(known.kind()).isEqualTo(EngineException.Kind.CORRUPT));
    }

    private static int firstDamaged(RocksEngine engine) {
        int row = 0;
        while (await(engine.read(key(row)).handle((read, failure) -> failure == null))) {
            row++;
        }
        assertDamaged(engine.read(key(row)));
        return row;
    }

    private static double damagedReads(RocksEngine engine) {
        return engine.telemetry().metrics().stream()
                .filter(figure -> figure.name().equals("engine.damaged.reads"))
                .map(Metric::value)
                .findFirst()
                .orElseThrow()
                .getAsDouble();
    }

    private static class Found implements RowVerification.Findings {
        private final List<String> damaged = new ArrayList<>();
        private int sound;
        private long bytes;

        @Override
        public void sound(long read) {
            sound++;
            bytes += read;
        }

        @Override
        public void damaged(String file, long read, String what) {
            damaged.add(file + ": " + what);
        }
    }

    private static Found verify(RocksEngine engine) {
        Found found = new Found();
        await(engine.rowVerification().orElseThrow().verify(found));
        return found;
    }

    @Test
    void operations_that_meet_damage_are_counted_and_told_until_a_verification_finds_none() throws Exception {
        Path file = write();
        flipBit(file);
        try (RocksEngine engine = open()) {
            assertThat(engine.telemetry().damage()).isEmpty();
            int row = firstDamaged(engine);
            assertThat(engine.telemetry().damage().orElseThrow()).startsWith("Stored rows are damaged");
            Scan all = new Scan(
                    List.of(Key.collectionRange(COLLECTION)),
                    Filter.ALL,
                    List.of(),
                    new Scan.Limits(ROWS, Integer.MAX_VALUE, Duration.ofHours(1)));
            assertDamaged(engine.scan(all));
            assertDamaged(engine.commit(insertion(row, Precondition.PRESENT)));
            assertThat(damagedReads(engine)).isEqualTo(4);

            Found found = verify(engine);
            assertThat(found.damaged)
                    .singleElement()
                    .asString()
                    .startsWith("rows/" + file.getFileName() + ": ")
                    .contains("checksum mismatch");
            assertThat(engine.telemetry().damage()).isPresent();

            flipBit(file);
            assertThat(verify(engine).damaged).isEmpty();
            assertThat(engine.telemetry().damage()).isEmpty();
            assertThat(await(engine.read(key(row)))).isPresent();
            assertThat(damagedReads(engine)).isEqualTo(4);
        }
    }

    @Test
    void a_verification_reads_all_files_while_rows_are_written() throws Exception {
        Path file = write();
        try (RocksEngine engine = open()) {
            CompletionStage<Found> verified = CompletableFuture.supplyAsync(() -> verify(engine));
            for (int row = 0; row < ROWS; row++) {
                await(engine.commit(insertion(ROWS + row, Precondition.NONE)));
            }
            Found found = await(verified);
            assertThat(found.damaged).isEmpty();
            assertThat(found.sound).isPositive();
            assertThat(found.bytes).isGreaterThanOrEqualTo(Files.size(file));
        }
    }

    @Test
    void a_verification_ends_when_nobody_wants_it_any_more() throws Exception {
        write();
        try (RocksEngine engine = open()) {
            Found unwanted = new Found() {
                @Override
                public void sound(long read) {
                    throw new CancellationException("not wanted");
                }
            };
            CompletionStage<Void> verified =
                    engine.rowVerification().orElseThrow().verify(unwanted);
            assertThatThrownBy(() -> await(verified))
                    .isInstanceOfAny(CompletionException.class, CancellationException.class);
        }
    }

    @Test
    void rows_in_memory_are_verified_too() throws Exception {
        try (RocksEngine engine = RocksEngine.open(
                RocksEngineConfig.inMemory().withMemoryBytes(RocksEngineConfig.MEMORY_BYTES_MIN),
                InstantSource.system())) {
            // More than memtables hold, so that there are SST files.
            for (int row = 0; row < 40 * ROWS; row++) {
                engine.commit(insertion(row, Precondition.NONE));
            }
            await(engine.commit(insertion(0, Precondition.NONE)));
            assertThat(verify(engine).damaged).isEmpty();
        }
    }
}
