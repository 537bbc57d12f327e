package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
    @TempDir
    private Path temporary;

    @Test
    void a_folder_that_is_not_there_is_made() {
        Path directory = temporary.resolve("a/b");
        DataFolder.open(directory).close();
        assertThat(directory.resolve("trestle.format")).hasContent("trestle-rocksdb 1");
    }

    @Test
    void a_folder_that_is_made_is_closed_to_other_users_and_one_that_was_there_stays_as_it_was() throws IOException {
        Path made = temporary.resolve("made");
        DataFolder.open(made).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");
        Path shared = Files.createDirectory(temporary.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-x---"));
        DataFolder.open(shared).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(shared)))
                .isEqualTo("rwxr-x---");
    }

    @Test
    void a_folder_can_be_used_again_after_it_was_closed() {
        DataFolder.open(temporary).close();
        DataFolder.open(temporary).close();
    }

    @Test
    void a_folder_in_use_is_refused_and_the_process_named() throws IOException {
        DataFolder folder = DataFolder.open(temporary);
        try (folder) {
            assertRefused(temporary)
                    .hasMessageContaining("Another Trestle server")
                    .hasMessageContaining("process " + ProcessHandle.current().pid())
                    .hasMessageContaining(temporary.toRealPath().toString());
        }
    }

    @Test
    void a_folder_in_use_by_another_process_is_refused_and_that_process_named() throws Exception {
        try (KilledWriter.Running writer = KilledWriter.start(temporary, new int[KilledWriter.PARTITIONS])) {
            assertThat(writer.output().readLine()).isNotNull();
            assertRefused(temporary).hasMessageContaining("Another Trestle server (process " + writer.pid() + ")");
        }
    }

    @Test
    void a_folder_of_a_newer_format_is_refused() throws IOException {
        Files.writeString(temporary.resolve("trestle.format"), "trestle-rocksdb 2\n");
        assertRefused(temporary).hasMessageContaining("newer Trestle (format 2");
    }

    @Test
    void a_folder_with_a_marker_of_something_else_is_refused() throws IOException {
        Files.writeString(temporary.resolve("trestle.format"), "trestle-rocksdb one\n");
        assertRefused(temporary).hasMessageContaining("that Trestle did not write");
    }

    @Test
    void a_folder_whose_marker_is_damaged_is_refused_in_plain_words() throws IOException {
        for (byte[] damage : new byte[][] {{}, {0, 0, 0, 0}, {(byte) 0xFF, (byte) 0xC0, 0}, new byte[100_000]}) {
            Files.write(temporary.resolve("trestle.format"), damage);
            assertRefused(temporary)
                    .hasMessageContaining("trestle.format that is damaged")
                    .hasMessageContaining("restore the file from a backup")
                    .hasMessageNotContaining("Exception");
        }
    }

    @Test
    void a_folder_that_cannot_be_made_is_refused_in_plain_words() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "");
        assertRefused(file.resolve("data")).hasMessageNotContaining("Exception");
        assertRefused(file).hasMessageNotContaining("Exception");
    }

    @Test
    void a_folder_with_other_things_in_it_is_refused_and_left_alone() throws IOException {
        Files.writeString(temporary.resolve("thesis.txt"), "all my work");
        assertRefused(temporary).hasMessageContaining("was not made by Trestle");
        assertThat(temporary).isDirectoryNotContaining("glob:**trestle*");
    }

    @Test
    void a_folder_whose_first_start_was_cut_short_is_as_good_as_empty() throws IOException {
        Files.writeString(temporary.resolve("trestle.lock"), "1");
        Files.writeString(temporary.resolve("trestle.format.new"), "tres");
        Files.createDirectory(temporary.resolve("lost+found"));
        DataFolder.open(temporary).close();
        assertThat(temporary.resolve("trestle.format")).hasContent("trestle-rocksdb 1");
    }

    @Test
    void a_file_in_place_of_the_folder_is_refused() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "");
        assertRefused(file).hasMessageContaining("cannot be used");
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(Path directory) {
        return assertThatThrownBy(() -> DataFolder.open(directory))
                .isInstanceOfSatisfying(
                        EngineException.class, e -> assertThat(e.kind()).isEqualTo(EngineException.Kind.UNAVAILABLE));
    }
}
