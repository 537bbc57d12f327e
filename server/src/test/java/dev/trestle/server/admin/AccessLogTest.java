package dev.trestle.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessLogTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.678Z"));

    @TempDir
    Path folder;

    @Test
    void lines_are_added_to_the_file_in_order_and_whole_when_it_is_closed() throws IOException {
        Path file = Files.writeString(folder.resolve("access.log"), "before\n");
        AccessLogConfig config = new AccessLogConfig(AccessLogFormat.TEXT, Optional.of(file));

        try (AccessLog log = AccessLog.open(config, CLOCK)) {
            for (int i = 0; i < 5_000; i++) {
                log.finished(Summaries.from("c" + i));
            }
        }

        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(5_001).startsWith("before");
        assertThat(lines.get(5_000))
                .startsWith("time=2026-01-02T03:04:05.678Z ")
                .contains(" clientRequestId=c4999 ");
    }

    @Test
    void a_file_that_is_made_is_closed_to_other_users_and_one_that_was_there_stays_as_it_was() throws IOException {
        Path made = folder.resolve("made.log");
        Path shared = Files.createFile(folder.resolve("shared.log"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rw-r-----"));
        for (Path file : List.of(made, shared)) {
            AccessLog.open(new AccessLogConfig(AccessLogFormat.TEXT, Optional.of(file)), CLOCK)
                    .close();
        }

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(shared)))
                .isEqualTo("rw-r-----");
    }

    @Test
    void a_file_that_cannot_be_written_is_told_at_the_start() {
        AccessLogConfig config =
                new AccessLogConfig(AccessLogFormat.JSON, Optional.of(folder.resolve("none/access.log")));

        assertThatThrownBy(() -> AccessLog.open(config, CLOCK)).isInstanceOf(IOException.class);
    }

    @Test
    void lines_that_find_no_room_are_dropped_and_counted() {
        // Its thread is not started yet, as if it were held up by a slow disk.
        AccessLog log = new AccessLog(AccessLogFormat.TEXT, OutputStream.nullOutputStream(), CLOCK, 2);
        for (int i = 0; i < 5; i++) {
            log.finished(Summaries.from("c"));
        }

        assertThat(log.dropped()).isEqualTo(3);
        log.start();
        log.close();
        assertThat(log.dropped()).isEqualTo(3);
    }

    @Test
    void lines_that_the_disk_refuses_are_counted_and_later_ones_still_tried() throws Exception {
        CountDownLatch tried = new CountDownLatch(1);
        AccessLog log = new AccessLog(
                AccessLogFormat.TEXT,
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        if (tried.getCount() > 0) {
                            tried.countDown();
                            throw new IOException("full");
                        }
                    }
                },
                CLOCK,
                10);
        log.start();
        log.finished(Summaries.from("lost"));
        tried.await();
        log.finished(Summaries.from("written"));
        log.close();

        assertThat(log.dropped()).isEqualTo(1);
    }
}
