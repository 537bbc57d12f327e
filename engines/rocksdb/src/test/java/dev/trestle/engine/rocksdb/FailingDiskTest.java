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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that fails writes and later takes them again. A process of its own plays it: the limit on the size of its files
 * is lowered and raised while it runs, which RocksDB sees as an error it does not recover from by itself.
 */
class FailingDiskTest {
    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");

    @TempDir
    private Path directory;

    @Test
    void an_engine_whose_disk_failed_recovers_by_itself() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(PRLIMIT), "needs prlimit, which is Linux's");
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
                limitFileSize("1:");
                long trouble = System.nanoTime();
                // Longer than the engine waits before it thinks of opening its store anew.
                while (System.nanoTime() - trouble < TimeUnit.SECONDS.toNanos(3)) {
                    assertThat(insert(engine, "meanwhile")).isFalse();
                    assertThat(read(engine, "before")).as("reads go on").isTrue();
                }
                limitFileSize("unlimited:");
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

        private static void limitFileSize(String softLimit) throws Exception {
            int exit = new ProcessBuilder(
                            PRLIMIT.toString(),
                            "--fsize=" + softLimit,
                            "--pid",
                            Long.toString(ProcessHandle.current().pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            assertThat(exit).isZero();
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
