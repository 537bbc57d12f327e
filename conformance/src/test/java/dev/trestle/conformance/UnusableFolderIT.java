package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.conformance.TrestleProcess.Ended;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data folders that cannot be used. */
class UnusableFolderIT {
    private static final String TABLE = "kept";
    private static final int TRANSACTIONS = 40;
    private static final int ROWS = 3;

    @TempDir
    private Path folder;

    /** The folder and its contents. */
    @ParameterizedTest
    @ValueSource(strings = {"", "rows"})
    void a_folder_that_cannot_be_written_is_refused_with_a_sentence(String part) throws IOException {
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            server.stop();
        }
        Path readOnly = folder.resolve(part);
        Files.setPosixFilePermissions(readOnly, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            assertRefused(TrestleProcess.runUnder(
                    bindingPermissions(), "serve", "--table-port", "0", "--data", folder.toString()));
        } finally {
            Files.setPosixFilePermissions(readOnly, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        TrestleProcess.on(folder).close();
    }

    /** Permissions mean nothing to an administrator unless the right to pass them over is given up. */
    private static List<String> bindingPermissions() {
        return System.getProperty("user.name").equals("root")
                ? List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search")
                : List.of();
    }

    @Test
    void a_folder_of_a_newer_format_is_refused_with_a_sentence() throws IOException {
        Files.writeString(folder.resolve("trestle.format"), "trestle-rocksdb 2\n");
        Ended ended = serve();
        assertRefused(ended);
        assertThat(ended.output()).contains("newer Trestle (format 2; this one knows format 1)");
    }

    @Test
    void a_file_in_place_of_the_folder_is_refused_with_a_sentence() throws IOException {
        folder = Files.writeString(folder.resolve("file"), "");
        assertRefused(serve());
    }

    private Ended serve() {
        return TrestleProcess.run("serve", "--table-port", "0", "--data", folder.toString());
    }

    private void assertRefused(Ended ended) {
        assertThat(ended.code()).as(ended.output()).isEqualTo(1);
        assertThat(ended.output()).contains(folder.toString()).doesNotContain("\tat ");
        assertThat(ended.output().lines()).hasSize(1);
    }

    @Test
    void a_log_cut_short_has_every_transaction_before_the_cut_and_half_of_none() throws IOException {
        long seed = System.nanoTime();
        writeAndKill();
        Path log = log();
        long length = Files.size(log);
        // Of all that was written the last few transactions are in the last quarter.
        long cut = length - 1 - new Random(seed).nextInt((int) length / 4);
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            channel.truncate(cut);
        }
        String said = assertServesFirstTransactions(TRANSACTIONS / 2, TRANSACTIONS - 1, "seed " + seed);
        assertThat(said).doesNotContain("damaged");
    }

    @Test
    void damage_within_the_log_is_told_and_leaves_what_was_before_it() throws IOException {
        writeAndKill();
        Path log = log();
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long middle = channel.size() / 2;
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, middle);
            channel.write(ByteBuffer.wrap(new byte[] {(byte) ~one.get(0)}), middle);
        }
        String said = assertServesFirstTransactions(TRANSACTIONS / 4, TRANSACTIONS - 1, "damaged");
        assertThat(said).contains("The write-ahead log is damaged.", log.toString());
    }

    private void writeAndKill() throws IOException {
        try (TrestleProcess server = TrestleProcess.on(folder);
                TableConnection connection = new TableConnection(server)) {
            assertThat(connection.createTable(TABLE).status()).isEqualTo(204);
            for (int number = 0; number < TRANSACTIONS; number++) {
                write(connection, number);
            }
            server.kill();
        }
    }

    private static void write(TableConnection connection, int number) throws IOException {
        assertThat(connection
                        .write(TABLE, EntityChange.fill(partition(number), ROWS, 500))
                        .made())
                .isTrue();
    }

    private static String partition(int number) {
        return "transaction" + number;
    }

    /** So many transactions are there whole and nothing of the others; new ones are taken and kept. Gives the log. */
    private String assertServesFirstTransactions(int min, int max, String description) throws IOException {
        String said;
        int whole = 0;
        try (TrestleProcess server = TrestleProcess.on(folder);
                TableConnection connection = new TableConnection(server)) {
            while (rows(connection, whole) == ROWS) {
                whole++;
            }
            assertThat(whole).as(description).isBetween(min, max);
            for (int number = whole; number < TRANSACTIONS; number++) {
                assertThat(rows(connection, number))
                        .as("%s of %s", number, description)
                        .isZero();
            }
            write(connection, TRANSACTIONS);
            said = server.log();
            server.kill();
        }
        try (TrestleProcess server = TrestleProcess.on(folder);
                TableConnection connection = new TableConnection(server)) {
            for (int number = 0; number <= TRANSACTIONS; number++) {
                boolean kept = number < whole || number == TRANSACTIONS;
                assertThat(rows(connection, number))
                        .as("%s of %s", number, description)
                        .isEqualTo(kept ? ROWS : 0);
            }
        }
        return said;
    }

    private static int rows(TableConnection connection, int number) throws IOException {
        return connection.query(TABLE, partition(number), 1000).orElseThrow().size();
    }

    /** The newest write-ahead log. */
    private Path log() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("rows"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }
}
