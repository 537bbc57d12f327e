package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.conformance.TableConnection.Written;
import dev.trestle.conformance.TrestleProcess.Ended;
import dev.trestle.testkit.FileSizeLimit;
import dev.trestle.testkit.SmallDisk;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A full disk: writes get 503 with an explanation, reads continue, and writes resume without a restart once space
 * is freed.
 */
class FullDiskIT {
    private static final String TABLE = "filling";
    private static final int ROWS = 5;
    private static final int FILLER = 12_000;

    /** Free space that uploads leave for the rows. */
    private static final long RESERVE = 64L << 20;

    /** Longer than an engine waits before it tries to recover from a failed disk. */
    private static final Duration TROUBLE = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    private final Set<Integer> acknowledged = new HashSet<>();
    private final Set<Integer> refused = new HashSet<>();
    private int next;

    private SmallDisk mountedDisk(String size) throws IOException {
        return SmallDisk.mount(Files.createDirectory(folder.resolve("disk")), size);
    }

    @Test
    @EnabledIf(value = "dev.trestle.testkit.SmallDisk#canBeMounted", disabledReason = "may not mount file systems")
    void a_full_file_system_stops_writes_until_there_is_room() throws Exception {
        try (SmallDisk disk = mountedDisk("160m")) {
            Path ballast = disk.folder().resolve("ballast");
            Path data = disk.folder().resolve("data");
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
        }
    }

    @Test
    @EnabledIf(value = "dev.trestle.testkit.SmallDisk#canBeMounted", disabledReason = "may not mount file systems")
    void uploads_that_are_refused_and_retried_leave_the_disk_as_it_was() throws Exception {
        try (SmallDisk mounted = mountedDisk("320m")) {
            Path disk = mounted.folder();
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
        }
    }

    private static int upload(TrestleProcess server, String blob, byte[] content) throws IOException {
        try (BlobConnection connection = new BlobConnection(server, "pictures")) {
            assertThat(connection.create()).isIn(201, 409);
            return connection.put(blob, content);
        }
    }

    @Test
    @EnabledIf(value = "dev.trestle.testkit.FileSizeLimit#canBeSet", disabledReason = "prlimit is not installed")
    void a_server_whose_files_may_not_grow_goes_on_reading_and_recovers() throws Exception {
        try (TrestleProcess server = TrestleProcess.on(folder);
                TableConnection connection = new TableConnection(server)) {
            assertThat(connection.createTable(TABLE).status()).isEqualTo(204);
            for (int i = 0; i < 20; i++) {
                assertThat(write(connection).made()).isTrue();
            }
            FileSizeLimit.forbidGrowth(server.process().pid());
            writeUntilRefused(connection);
            assertTakesNoWrites(server, connection, 500, "InternalError", "The storage takes no writes.");
            FileSizeLimit.lift(server.process().pid());
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

    /** Writes one transaction to a new partition. */
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
            RawResponse insert = connection.exchange(
                    RawRequest.of("POST", "/" + TABLE).json("{\"PartitionKey\":\"small\",\"RowKey\":\"one\"}"));
            assertThat(insert.status()).as(insert.text()).isEqualTo(status);
            assertThat(insert.body()).contains(answered);
            int any = acknowledged.iterator().next();
            assertThat(connection.read(TABLE, partition(any), "row0")).isPresent();
            assertThat(connection.query(TABLE, partition(any), 1000).orElseThrow())
                    .hasSize(ROWS);
        } while (System.nanoTime() < end);
        RawResponse ready = server.readiness();
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

    /** Acknowledged transactions are present; each refused one is present completely or not at all. */
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

    /** Writes this many bytes, or until the disk is full. */
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
}
