package dev.trestle.engine.rocksdb;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that commits without end and says what was acknowledged, to be killed. Commit n of a partition inserts
 * row n and writes n into each of a few fixed rows, so that a torn commit would show.
 */
final class KilledWriter {
    static final long COLLECTION = -1;
    static final int PARTITIONS = 8;
    static final List<String> FIXED_ROWS = List.of("fixed a", "fixed b", "fixed c");

    private KilledWriter() {}

    /** A started process with its output. */
    record Running(Process process, BufferedReader output) implements AutoCloseable {
        long pid() {
            return process.pid();
        }

        /** Kills the process; its output can still be read. */
        void kill() {
            // Through the handle, because Process itself would close the output before it is read to its end.
            process.toHandle().destroyForcibly();
        }

        @Override
        public void close() throws IOException {
            process.destroyForcibly().onExit().join();
            output.close();
        }
    }

    /** Starts a process that writes to the folder, with the number of each partition's first commit. */
    static Running start(Path directory, int[] first) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                directory.toString()));
        for (int number : first) {
            command.add(Integer.toString(number));
        }
        // Newer JVMs print warnings about native code there.
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new Running(process, process.inputReader(StandardCharsets.UTF_8));
    }

    /** Arguments: the folder, and for each partition the number of its first commit. */
    @SuppressWarnings("SystemOut") // The parent process reads it.
    public static void main(String[] arguments) throws InterruptedException {
        Engine engine = RocksEngine.open(
                RocksEngineConfig.at(Path.of(arguments[0])).withMemoryBytes(16 << 20), InstantSource.system());
        for (int partition = 0; partition < PARTITIONS; partition++) {
            write(engine, partition, Integer.parseInt(arguments[1 + partition]));
        }
        Thread.currentThread().join();
    }

    private static void write(Engine engine, int partition, int number) {
        engine.commit(commit(partition, number)).whenComplete((result, failure) -> {
            if (result instanceof CommitResult.Committed) {
                System.out.println(partition + " " + number);
                write(engine, partition, number + 1);
            } else {
                System.out.println("unexpected: " + result + " " + failure);
            }
        });
    }

    private static Commit commit(int partition, int number) {
        List<Write> writes = new ArrayList<>();
        writes.add(new Write.Put(rowKey(partition, number), row(number), Precondition.ABSENT));
        for (String fixed : FIXED_ROWS) {
            writes.add(new Write.Put(Key.of(COLLECTION, "p" + partition, fixed), row(number), Precondition.NONE));
        }
        return new Commit(COLLECTION, "p" + partition, writes);
    }

    static Key rowKey(int partition, int number) {
        return Key.of(COLLECTION, "p" + partition, String.format("%09d", number));
    }

    private static byte[] row(int number) {
        return new RowBuilder()
                .put("N", new EdmValue.Int32(number))
                .put("Filler", new EdmValue.Text("x".repeat(500)))
                .build();
    }
}
