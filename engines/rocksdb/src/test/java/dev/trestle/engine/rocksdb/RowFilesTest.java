package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.Commit;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data folder with missing files. */
class RowFilesTest {
    private static final Key KEY = Key.of(-1, "p", "r");

    @TempDir
    private Path data;

    private RocksEngine open() {
        return RocksEngine.open(
                RocksEngineConfig.at(data).withMemoryBytes(RocksEngineConfig.MEMORY_BYTES_MIN), InstantSource.system());
    }

    private void write() {
        try (RocksEngine engine = open()) {
            Write row = new Write.Put(KEY, new RowBuilder().build(), Precondition.NONE);
            engine.commit(new Commit(-1, "p", List.of(row)))
                    .toCompletableFuture()
                    .join();
        }
    }

    private boolean holdsRow() {
        try (RocksEngine engine = open()) {
            return engine.read(KEY).toCompletableFuture().join().isPresent();
        }
    }

    private void delete(String end) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("rows"))) {
            for (Path file : files.filter(file -> file.toString().contains(end)).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Moves the rows away, as if their volume were not mounted; opening must not create new ones. */
    private AbstractThrowableAssert<?, ? extends Throwable> assertRefused() throws IOException {
        List<String> before = files();
        AbstractThrowableAssert<?, ? extends Throwable> refusal = assertThatThrownBy(this::open)
                .isInstanceOf(EngineException.class)
                .hasMessageStartingWith("The folder " + data.toRealPath() + " held data, but ")
                .hasMessageNotContaining("Exception");
        assertThat(files()).isEqualTo(before);
        return refusal;
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    @Test
    void without_its_rows_a_folder_is_refused_until_they_are_back() throws IOException {
        write();
        Path away = data.resolveSibling(data.getFileName() + "-away");
        Files.move(data.resolve("rows"), away);
        assertRefused().hasMessageContaining("rows/ is missing").hasMessageContaining("not mounted");
        Files.createDirectory(data.resolve("rows"));
        assertRefused().hasMessageContaining("rows/CURRENT is missing");
        Files.delete(data.resolve("rows"));
        Files.move(away, data.resolve("rows"));
        assertThat(holdsRow()).isTrue();
    }

    @Test
    void without_the_list_of_its_files_a_folder_is_refused() throws IOException {
        write();
        delete("MANIFEST-");
        assertRefused().hasMessageContaining("rows/MANIFEST-");
        delete("CURRENT");
        assertRefused().hasMessageContaining("rows/CURRENT is missing");
    }

    @Test
    void without_its_write_ahead_log_a_folder_is_refused_unless_its_marker_is_deleted() throws IOException {
        write();
        delete(".log");
        assertRefused().hasMessageContaining("the write-ahead log").hasMessageContaining("delete trestle.rows");
        Files.delete(data.resolve("trestle.rows"));
        assertThat(holdsRow()).as("its log is lost").isFalse();
        write();
        assertThat(holdsRow()).isTrue();
    }

    @Test
    void contents_without_rows_are_refused_in_a_folder_without_a_marker_too() throws IOException {
        Files.writeString(data.resolve("trestle.format"), "trestle-rocksdb 1\n");
        Files.createDirectories(data.resolve("content"));
        open().close();
        Files.delete(data.resolve("trestle.rows"));
        delete("");
        Files.delete(data.resolve("rows"));
        Files.createDirectories(data.resolve("content/0102030405060708"));
        assertRefused().hasMessageContaining("rows/ is missing");
    }

    @Test
    void a_first_start_that_was_cut_short_is_repeated() throws IOException {
        Files.writeString(data.resolve("trestle.format"), "trestle-rocksdb 1\n");
        Files.createDirectories(data.resolve("rows"));
        Files.createDirectories(data.resolve("content"));
        write();
        assertThat(holdsRow()).isTrue();
    }

    @Test
    void a_folder_of_an_earlier_version_gets_its_marker_at_the_next_start() throws IOException {
        write();
        Files.delete(data.resolve("trestle.rows"));
        assertThat(holdsRow()).isTrue();
        delete("");
        assertRefused().hasMessageContaining("rows/CURRENT is missing");
    }
}
