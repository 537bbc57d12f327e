package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import dev.trestle.testkit.FileSizeLimit;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that fails writes for a while, simulated in a child process: its file size limit is lowered and raised at
 * run time, which RocksDB treats as an error without automatic recovery.
 */
class FailingDiskTest {
    @TempDir
    private Path directory;

    @Test
    @EnabledIf(value = "dev.trestle.testkit.FileSizeLimit#canBeSet", disabledReason = "prlimit is not installed")
    void an_engine_whose_disk_failed_recovers_by_itself() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FailingDisk.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
    }

    /** The process. */
    static final class FailingDisk {
        private static final long COLLECTION = -1;

        private FailingDisk() {}

        public static void main(String[] arguments) throws Exception {
            RocksEngineConfig config =
                    RocksEngineConfig.at(Path.of(arguments[0])).withMemoryBytes(16 << 20);
            try (Engine engine = RocksEngine.open(config, InstantSource.system())) {
                assertThat(insert(engine, "before")).isTrue();
                FileSizeLimit.forbidGrowth(ProcessHandle.current().pid());
                long trouble = System.nanoTime();
                // Longer than the engine waits before it tries to reopen its store.
                while (System.nanoTime() - trouble < TimeUnit.SECONDS.toNanos(3)) {
                    assertThat(insert(engine, "meanwhile")).isFalse();
                    assertThat(read(engine, "before")).as("reads go on").isTrue();
                }
                FileSizeLimit.lift(ProcessHandle.current().pid());
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                while (!insert(engine, "after")) {
                    assertThat(System.nanoTime() - deadline).isNegative();
                }
                assertThat(read(engine, "before")).isTrue();
                assertThat(read(engine, "meanwhile")).isFalse();
            }
            try (Engine engine = RocksEngine.open(config, InstantSource.system())) {
                assertThat(read(engine, "before")).isTrue();
                assertThat(read(engine, "meanwhile")).isFalse();
                assertThat(read(engine, "after")).isTrue();
            }
        }

        /** Whether the row is in now; false when the engine could not be used. */
        private static boolean insert(Engine engine, String rowKey) throws InterruptedException {
            byte[] row = new RowBuilder().put("N", new EdmValue.Int32(1)).build();
            Write write = new Write.Put(Key.of(COLLECTION, "p", rowKey), row, Precondition.ABSENT);
            try {
                CommitResult result = engine.commit(new Commit(COLLECTION, "p", List.of(write)))
                        .toCompletableFuture()
                        .get();
                assertThat(result).isInstanceOf(CommitResult.Committed.class);
                return true;
            } catch (ExecutionException e) {
                assertThat(e)
                        .cause()
                        .isInstanceOfSatisfying(
                                EngineException.class,
                                failure -> assertThat(failure.kind()).isEqualTo(EngineException.Kind.UNAVAILABLE));
                return false;
            }
        }

        private static boolean read(Engine engine, String rowKey) throws Exception {
            return engine.read(Key.of(COLLECTION, "p", rowKey))
                    .toCompletableFuture()
                    .get()
                    .isPresent();
        }
    }
}
