package dev.trestle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.cli.TrestleCommand.Run;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.Storage;
import dev.trestle.engine.files.LocalContentStore;
import dev.trestle.server.BlobConfig;
import dev.trestle.server.ServerConfig;
import dev.trestle.server.TrestleServer;
import dev.trestle.server.admin.AdminConfig;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import dev.trestle.testkit.FaultyEngine;
import dev.trestle.testkit.ModelEngine;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ExitCode;

class ScrubCommandTest {
    private static final String NOTHING = "Scrubbed 0 contents, 0 bytes: 0 damaged; 0 leftovers removed.";

    private final FaultyEngine engine = new FaultyEngine(new ModelEngine(InstantSource.system()));

    @TempDir
    private Path folder;

    private static Run run(String... options) {
        return TrestleCommand.run(
                Stream.concat(Stream.of("scrub"), Stream.of(options)).toList(), Map.of());
    }

    private TrestleServer start(Service service) {
        return TrestleServer.start(
                new ServerConfig(
                        "127.0.0.1",
                        Map.of(service, 0),
                        Accounts.DEVELOPMENT,
                        Optional.empty(),
                        false,
                        HttpConfig.DEFAULT,
                        Optional.of(new AdminConfig("127.0.0.1", 0)),
                        Optional.empty(),
                        Optional.empty(),
                        BlobConfig.DEFAULT,
                        SocketTransport.AUTO),
                new Storage(engine, EngineTelemetry.NONE, () -> LocalContentStore.open(folder, false)));
    }

    private static String admin(TrestleServer server) {
        return "--admin=http://127.0.0.1:" + server.adminPort().orElseThrow();
    }

    @Test
    void a_server_that_holds_nothing_is_sound() {
        try (TrestleServer server = start(Service.BLOB)) {
            Run run = run(admin(server));
            assertThat(run.out()).isEqualTo(NOTHING);
            assertThat(run.exitCode()).isZero();
            assertThat(run(admin(server), "--no-verify").out())
                    .isEqualTo("Scrubbed without reading contents; 0 leftovers removed.");
        }
    }

    @Test
    void a_folder_of_a_server_that_is_stopped_is_opened() {
        Run run = run("--data=" + folder);
        assertThat(run.out()).isEqualTo(NOTHING);
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void a_second_scrub_is_refused_until_the_first_has_ended() throws Exception {
        try (TrestleServer server = start(Service.BLOB)) {
            Runnable release = engine.delayNext(FaultyEngine.Call.SCAN);
            List<CompletableFuture<Run>> both = List.of(
                    CompletableFuture.supplyAsync(() -> run(admin(server))),
                    CompletableFuture.supplyAsync(() -> run(admin(server))));
            // Whichever came first waits, so the other is the one that ends.
            Run second = (Run) CompletableFuture.anyOf(both.toArray(CompletableFuture[]::new))
                    .get();
            assertThat(second.err()).isEqualTo("A scrub is already running; wait for its end.");
            assertThat(second.exitCode()).isEqualTo(ExitCode.SOFTWARE);
            release.run();
            List<Run> ended = both.stream().map(CompletableFuture::join).toList();
            assertThat(ended).extracting(Run::exitCode).containsExactlyInAnyOrder(ExitCode.OK, ExitCode.SOFTWARE);
            assertThat(ended).extracting(Run::out).anyMatch(out -> out.endsWith(NOTHING));
            assertThat(run(admin(server)).exitCode()).isZero();
        }
    }

    @Test
    void a_server_without_blobs_is_told_of_in_a_sentence() {
        try (TrestleServer server = start(Service.TABLE)) {
            Run run = run(admin(server));
            assertThat(run.err()).endsWith(" serves no blobs, or is not Trestle.");
            assertThat(run.exitCode()).isEqualTo(ExitCode.SOFTWARE);
        }
    }

    @Test
    void a_server_that_does_not_run_is_told_of_in_a_sentence() {
        Run run = run("--admin=http://127.0.0.1:1");
        assertThat(run.err())
                .isEqualTo(
                        "No server responds at http://127.0.0.1:1; give its admin port with --admin, or the folder of a"
                                + " stopped server with --data.");
        assertThat(run.exitCode()).isEqualTo(ExitCode.SOFTWARE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--data=x --admin=http://127.0.0.1:1 | The options --admin and --data"
                        + " contradict each other: scrub a server with --admin, or the folder of a stopped one with --data.",
                "--data=missing/folder | There is no folder missing/folder.",
                "--admin=10003 | The option --admin takes an address such as http://127.0.0.1:10003, not 10003.",
                "--no-verfy | The option --no-verfy is unknown; the nearest known one is --no-verify.",
            })
    void what_cannot_be_scrubbed_is_told_in_a_sentence(String options, String sentence) {
        Run run = run(options.split(" ", -1));
        assertThat(run.err()).isEqualTo(sentence);
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void help_names_every_option() {
        assertThat(run("--help").out())
                .startsWith("Usage: trestle scrub")
                .contains(List.of("--admin", "--data", "--no-verify"));
    }
}
