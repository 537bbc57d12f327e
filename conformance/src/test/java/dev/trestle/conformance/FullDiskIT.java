package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.conformance.TableConnection.Written;
import dev.trestle.conformance.TrestleProcess.Ended;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that takes no more: writes are refused with a sentence, reads go on, and room heals it without a restart. */
class FullDiskIT {
    private static final String TABLE = "filling";
    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");
    private static final int ROWS = 5;
    private static final int FILLER = 12_000;

    /** What uploads leave for the rows. */
    private static final long RESERVE = 64L << 20;

    /** Longer than an engine waits before it does something about a disk that fails. */
    private static final Duration TROUBLE = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    private final Set<Integer> acknowledged = new HashSet<>();
    private final Set<Integer> refused = new HashSet<>();
    private int next;

    /** A file system of its own; what uses it needs to be allowed to mount. */
    private Path mountedDisk(String size) throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Assumptions.assumeTrue(
                command("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", disk.toString()) == 0,
                "needs to be allowed to mount");
        return disk;
    }

    @Test
    void a_full_file_system_stops_writes_until_there_is_room() throws Exception {
        Path disk = mountedDisk("160m");
        try {
            Path ballast = disk.resolve("ballast");
            Path data = disk.resolve("data");
            fill(ballast, 144 << 20);
            try (TrestleProcess server = TrestleProcess.on(data);
                    TableConnection connection = new TableConnection(server)) {
                assertThat(connection.createTable(TABLE).status()).isEqualTo(204);
                writeUntilRefused(connection);
                assertTakesNoWrites(server, connection, 503, "The disk of the server is full.", "The disk is full");
                assertThat(server.log()).as("once for all refusals").containsOnlyOnce(" ERROR ");
                Files.delete(ballast);
                assertHeals(server, connection);
                server.kill();
            }
            fill(ballast, Integer.MAX_VALUE);
            Ended ended = TrestleProcess.run("serve", "--table-port", "0", "--data", data.toString());
            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.output())
                    .contains(data.toString(), "No space left")
                    .doesNotContain("\tat ");
            Files.delete(ballast);
            assertAllIsThere(data);
        } finally {
            assertThat(command("umount", disk.toString())).isZero();
        }
    }

    @Test
    void uploads_that_are_refused_and_retried_leave_the_disk_as_it_was() throws Exception {
        Path disk = mountedDisk("320m");
        try {
            Path data = disk.resolve("data");
            Path ballast = disk.resolve("ballast");
            byte[] content = new byte[2 << 20];
            try (TrestleProcess server = TrestleProcess.on(data)) {
                assertThat(upload(server, "before", content)).isEqualTo(201);
                long usable = Files.getFileStore(disk).getUsableSpace();
                fill(ballast, (int) (usable - RESERVE));
                long left = Files.getFileStore(disk).getUsableSpace();
                for (int i = 0; i < 40; i++) {
                    assertThat(upload(server, "retried", content)).isEqualTo(503);
                }
                assertThat(data.resolve("incoming")).isEmptyDirectory();
                assertThat(Files.getFileStore(disk).getUsableSpace()).isGreaterThan(left - content.length);
                Files.delete(ballast);
                assertThat(upload(server, "retried", content)).isEqualTo(201);
            }
        } finally {
            assertThat(command("umount", disk.toString())).isZero();
        }
    }

    private static int upload(TrestleProcess server, String blob, byte[] content) throws IOException {
        try (BlobConnection connection = new BlobConnection(server, "pictures")) {
            assertThat(connection.create()).isIn(201, 409);
            return connection.put(blob, content);
        }
    }

    @Test
    void a_server_whose_files_may_not_grow_goes_on_reading_and_recovers() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(PRLIMIT), "needs prlimit, which is Linux's");
        try (TrestleProcess server = TrestleProcess.on(folder);
                TableConnection connection = new TableConnection(server)) {
            assertThat(connection.createTable(TABLE).status()).isEqualTo(204);
            for (int i = 0; i < 20; i++) {
                assertThat(write(connection).made()).isTrue();
            }
            limitFileSize(server, "1:");
            writeUntilRefused(connection);
            assertTakesNoWrites(server, connection, 500, "InternalError", "The storage takes no writes.");
            limitFileSize(server, "unlimited:");
            assertHeals(server, connection);
            server.kill();
        }
        assertAllIsThere(folder);
    }

    private void writeUntilRefused(TableConnection connection) throws IOException {
        while (refused.size() < 10) {
            write(connection);
        }
    }

    /** One transaction in a partition of its own. */
    private Written write(TableConnection connection) throws IOException {
        int number = next++;
        Written written = connection.write(TABLE, EntityChange.fill(partition(number), ROWS, FILLER));
        (written.made() ? acknowledged : refused).add(number);
        return written;
    }

    private static String partition(int number) {
        return "transaction" + number;
    }

    private void assertTakesNoWrites(
            TrestleProcess server, TableConnection connection, int status, String answered, String readiness)
            throws IOException {
        long end = System.nanoTime() + TROUBLE.toNanos();
        do {
            RawAnswer insert = connection.exchange(
                    RawRequest.of("POST", "/" + TABLE).json("{\"PartitionKey\":\"small\",\"RowKey\":\"one\"}"));
            assertThat(insert.status()).as(insert.text()).isEqualTo(status);
            assertThat(insert.body()).contains(answered);
            int any = acknowledged.iterator().next();
            assertThat(connection.read(TABLE, partition(any), "row0")).isPresent();
            assertThat(connection.query(TABLE, partition(any), 1000).orElseThrow())
                    .hasSize(ROWS);
        } while (System.nanoTime() < end);
        RawAnswer ready = server.readiness();
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.body()).startsWith(readiness);
    }

    private void assertHeals(TrestleProcess server, TableConnection connection) throws IOException {
        Deadline.await(() -> "still not written", () -> {
            try {
                return write(connection).made();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        Deadline.await(() -> "still not ready", () -> {
            try {
                return server.readiness().status() == 200;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertAllIsThere(connection);
    }

    private void assertAllIsThere(Path data) throws IOException {
        try (TrestleProcess server = TrestleProcess.on(data);
                TableConnection connection = new TableConnection(server)) {
            assertAllIsThere(connection);
            assertThat(write(connection).made()).isTrue();
        }
    }

    /** What was acknowledged is there, and what was refused is there as a whole at the most. */
    private void assertAllIsThere(TableConnection connection) throws IOException {
        for (int number = 0; number < next; number++) {
            List<Integer> possible = new ArrayList<>(List.of(ROWS));
            if (refused.contains(number)) {
                possible.add(0);
            }
            assertThat(connection.query(TABLE, partition(number), 1000).orElseThrow())
                    .as(partition(number))
                    .satisfies(rows -> assertThat(rows.size()).isIn(possible));
        }
    }

    /** Writes so many bytes, or until there is no room. */
    private static void fill(Path file, int bytes) throws IOException {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int written = 0; written < bytes; written += block.length) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    private static void limitFileSize(TrestleProcess server, String softLimit) throws Exception {
        assertThat(command(PRLIMIT.toString(), "--fsize=" + softLimit, "--pid", Long.toString(server.pid())))
                .isZero();
    }

    private static int command(String... words) throws IOException, InterruptedException {
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
