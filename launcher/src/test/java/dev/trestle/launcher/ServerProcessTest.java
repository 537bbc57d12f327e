package dev.trestle.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {
    private static final String BANNER = """
            Trestle 1
              Account            a (well-known development key)
              Table endpoint     http://127.0.0.1:1/a
              Queue endpoint     http://127.0.0.1:2/a
              Blob endpoint      http://127.0.0.1:3/a
              Connection string  DefaultEndpointsProtocol=http;AccountName=a;
            Ready in 0.1 s.
            """;

    private static ServerProcess.Builder shell(String script) {
        return ServerProcess.command(List.of("sh", "-c", script));
    }

    private static String print(String text) {
        return "printf '%s' '" + text + "'";
    }

    @Test
    void the_endpoints_are_those_of_the_banner() {
        try (ServerProcess server = shell(print(BANNER) + "; exec sleep 60").start()) {
            assertThat(server.endpoint("Table")).isEqualTo("http://127.0.0.1:1/a");
            assertThat(server.endpoint("Blob")).isEqualTo("http://127.0.0.1:3/a");
            assertThat(server.urls())
                    .containsExactly("http://127.0.0.1:1/a", "http://127.0.0.1:2/a", "http://127.0.0.1:3/a");
            assertThat(server.connectionString()).isEqualTo("DefaultEndpointsProtocol=http;AccountName=a;");
            assertThatThrownBy(() -> server.endpoint("File")).hasMessageContaining("Ready in 0.1 s.");
        }
    }

    @Test
    void a_server_that_exits_before_it_is_ready_fails_with_its_output() {
        assertThatThrownBy(() -> shell("echo no disk >&2; exit 3").start())
                .isInstanceOf(ProcessFailedException.class)
                .hasMessage("The server exited. Its output:\nno disk");
    }

    @Test
    void a_server_that_is_not_ready_in_time_is_killed_and_fails_with_its_output() {
        assertThatThrownBy(() -> shell("echo $$; exec sleep 60")
                        .startTimeMax(Duration.ofMillis(500))
                        .start())
                .hasMessageStartingWith("The server was not ready within 0 s. Its output:\n")
                .satisfies(failure -> {
                    long pid = Long.parseLong(String.valueOf(failure.getMessage())
                            .lines()
                            .toList()
                            .get(1));
                    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive))
                            .isEmpty();
                });
    }

    @Test
    void a_command_that_is_not_there_fails() {
        assertThatThrownBy(
                        () -> ServerProcess.command(List.of("/nowhere/server")).launch())
                .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void a_stopped_server_has_its_last_lines_captured() {
        String script = "trap 'echo Stopped.; exit 7' TERM; echo ready; while :; do sleep 0.01; done";
        try (ServerProcess server = shell(script).start()) {
            assertThat(server.stop()).isEqualTo(7);
            assertThat(server.output()).endsWith("Stopped.");
            assertThat(server.isAlive()).isFalse();
        }
    }

    @Test
    void a_suspended_server_does_nothing_until_it_is_resumed() {
        try (ServerProcess server = shell("trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done")
                .start()) {
            server.suspend();
            server.terminate();
            assertThat(server.exitsWithin(Duration.ofMillis(300))).isFalse();
            server.resume();
            assertThat(server.awaitExit()).isEqualTo(7);
        }
    }

    @Test
    void long_output_keeps_its_first_and_its_last_lines() {
        String script = "echo ready; i=0; while [ $i -lt 1000 ]; do i=$((i+1)); echo line$i; done; exec sleep 60";
        try (ServerProcess server = shell(script).lastLinesMax(10).start()) {
            await().until(() -> server.output().endsWith("line1000"));
            assertThat(server.output().lines())
                    .startsWith("ready", "line1")
                    .contains("(491 lines dropped)")
                    .hasSize(500 + 1 + 10);
        }
    }

    @Test
    void environment_and_working_directory_are_as_given(@TempDir Path folder) throws Exception {
        try (ServerProcess server = shell("pwd; echo \"[$TRESTLE_JAVA_OPTS]\"; echo ready")
                .in(folder)
                .environment("TRESTLE_JAVA_OPTS", "-Xmx1m")
                .start()) {
            assertThat(server.output().lines()).contains(folder.toRealPath().toString(), "[-Xmx1m]");
        }
    }

    @Test
    void the_jar_of_a_server_that_is_not_built_is_named() {
        assertThatThrownBy(() -> ServerJar.command(Path.of("/nowhere/trestle.jar"), List.of(), List.of()))
                .hasMessage("The server is not built: /nowhere/trestle.jar");
    }
}
