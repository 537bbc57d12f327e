package dev.trestle.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.benchmarks.load.Endpoint;
import dev.trestle.benchmarks.load.Mode;
import dev.trestle.benchmarks.load.Workload;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ExitCode;

class BenchCommandTest {
    private static BenchConfig config(String... options) {
        BenchCommand bench = new BenchCommand(System.out, System.err, List.of());
        bench.commandLine().parseArgs(options);
        return bench.config();
    }

    /** The exit code and the output of a command. */
    private record Run(int exitCode, String out, String err) {}

    private static Run run(String... options) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = new BenchCommand(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        List.of())
                .commandLine()
                .execute(options);
        return new Run(
                exitCode,
                out.toString(StandardCharsets.UTF_8).strip(),
                err.toString(StandardCharsets.UTF_8).strip());
    }

    @Test
    void the_defaults_measure_everything_on_the_development_endpoint_in_an_open_loop() {
        BenchConfig config = config();
        assertThat(config.endpoint()).isEqualTo(Endpoint.Given.url("http://127.0.0.1:10002/devstoreaccount1"));
        assertThat(config.compare()).isEmpty();
        assertThat(config.table()).isEqualTo("bench");
        assertThat(config.entities()).isEqualTo(100_000);
        assertThat(config.drop()).isFalse();
        assertThat(config.plan().workloads()).containsExactlyElementsOf(Workload.ofTables());
        assertThat(config.plan().connections()).isEmpty();
        assertThat(config.plan().duration()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.plan().warmUp()).isEqualTo(Duration.ofSeconds(3));
        assertThat(config.plan().mode()).isEqualTo(new Mode.Share(0.7));
        assertThat(config.plan().rounds()).isEqualTo(4);
    }

    @Test
    void every_option_has_its_meaning() {
        BenchConfig config = config(
                "--endpoint=https://mine.example",
                "--account=mine",
                "--key=a2V5",
                "--compare=http://127.0.0.1:10002/other",
                "--compare-sas=sig=x",
                "--workload=insert, log-tail",
                "--entities=3000",
                "--working-set=2000",
                "--connections=7",
                "--seconds=1.5",
                "--warmup=0",
                "--rate=250",
                "--rounds=9",
                "--table=mine",
                "--data=folder",
                "--drop",
                "--json=-");
        assertThat(config.endpoint().account()).hasValue("mine");
        assertThat(config.endpoint().key()).hasValue("a2V5");
        assertThat(config.compare().orElseThrow().sas()).hasValue("sig=x");
        assertThat(config.plan().workloads()).containsExactly(Workload.INSERT, Workload.LOG_TAIL);
        assertThat(config.entities()).isEqualTo(3000);
        assertThat(config.workingSet()).isEqualTo(2000);
        assertThat(config.plan().connections()).hasValue(7);
        assertThat(config.plan().duration()).isEqualTo(Duration.ofMillis(1500));
        assertThat(config.plan().warmUp()).isZero();
        assertThat(config.plan().mode()).isEqualTo(new Mode.Open(250));
        assertThat(config.plan().rounds()).isEqualTo(9);
        assertThat(config.table()).isEqualTo("mine");
        assertThat(config.data()).hasValue(Path.of("folder"));
        assertThat(config.drop()).isTrue();
        assertThat(config.json()).hasValue("-");
    }

    @Test
    void blobs_have_an_endpoint_of_their_own_and_the_same_key() {
        BenchConfig config = config(
                "--account=mine",
                "--key=a2V5",
                "--blob-endpoint=https://mine.blob.example",
                "--blobs=5000",
                "--workload=blob-put");
        assertThat(config.blobEndpoint().orElseThrow().url()).isEqualTo("https://mine.blob.example");
        assertThat(config.blobEndpoint().orElseThrow().key()).hasValue("a2V5");
        assertThat(config.blobs()).isEqualTo(5000);
    }

    @Test
    void a_size_that_is_none_is_told_in_a_sentence() {
        assertThat(run("--stream=much").err())
                .isEqualTo("The value of --stream cannot be used: 'much' is not a size, such as 512k, 64m or 1g.");
    }

    @Test
    void a_stream_goes_to_the_blobs_of_the_development_server_unless_told() {
        assertThat(config().stream()).isEmpty();
        assertThat(config("--stream=1m").stream()).hasValue(1 << 20);
        assertThat(config("--stream=1m").blobEndpoint())
                .hasValue(Endpoint.Given.url("http://127.0.0.1:10000/devstoreaccount1"));
        assertThat(config("--stream=1m", "--endpoint=own").blobEndpoint()).isEmpty();
    }

    @Test
    void comparing_and_growing_are_done_in_a_closed_loop_unless_a_rate_is_given() {
        assertThat(config("--compare=bare").plan().mode()).isEqualTo(new Mode.Closed());
        assertThat(config("--endpoint=own", "--growth=1000,5000").plan().mode()).isEqualTo(new Mode.Closed());
        assertThat(config("--compare=bare", "--rate=5").plan().mode()).isEqualTo(new Mode.Open(5));
        assertThat(config("--rate=max").plan().mode()).isEqualTo(new Mode.Closed());
        assertThat(config("--endpoint=own", "--growth=1000,5000").growth()).containsExactly(1000L, 5000L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--workload=point-reed | There is no workload point-reed; the nearest known one is point-read.",
                "--entities=1500 | The option --entities takes multiples of 1000, not 1500.",
                "--seconds=soon | The option --seconds takes a number from 0.1 to 86400, not soon.",
                "--growth=1000 | The option --growth goes with --endpoint own, and not with --compare.",
                "--table=a'b | A table's name is 3 to 63 letters and digits, the first a letter.",
                "--endpoint=own --growth=1000 --working-set=1000 | The option --growth reads all entities; it goes"
                        + " without --working-set.",
                "--endpoint=bare | The bare loop is to --compare with; it is no endpoint.",
                "--endpoint=https://mine.example | The endpoint https://mine.example needs a key or a shared access"
                        + " signature.",
                "--endpoint=http://127.0.0.1:1/devstoreaccount1 --workload=blob-get | The workloads of blobs need"
                        + " --blob-endpoint beside --endpoint.",
                "--endpoint=own --growth=1000 --workload=blob-list | The option --growth is about tables; for blobs, run"
                        + " with one --blobs after another.",
                "--compare=http://127.0.0.1:1/devstoreaccount1 --workload=blob-get | The workloads of blobs are compared with"
                        + " --compare own only.",
                "--blobs=10 | The option --blobs takes a number from 1000 to 1000000000, not 10.",
                "--secnds=1 | The option --secnds is unknown; the nearest known one is --seconds.",
            })
    void what_cannot_be_measured_is_told_in_a_sentence(String options, String sentence) {
        Run run = run(options.split(" ", -1));
        assertThat(run.err()).isEqualTo(sentence);
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void a_secret_is_never_repeated() {
        for (List<String> options : List.of(
                List.of("--key=s3cr3t!"),
                List.of("--endpoint=ftp://mine.example?sig=s3cr3t"),
                List.of("--key", "a2V5", "s3cr3t"))) {
            Run run = run(options.toArray(String[]::new));
            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).isNotEmpty().doesNotContain("s3cr3t");
        }
    }

    @Test
    void nobody_listening_is_told_in_a_sentence() {
        Run run = run("--endpoint=http://127.0.0.1:1/devstoreaccount1", "--workload=insert");
        assertThat(run.exitCode()).isEqualTo(ExitCode.SOFTWARE);
        assertThat(run.err()).isEqualTo("Cannot measure http://127.0.0.1:1/devstoreaccount1: Connection refused.");
    }

    @Test
    void help_names_every_workload() {
        String help = run("--help").out().replaceAll("\\s+", " ");
        assertThat(help).startsWith("Usage: trestle bench").contains("--endpoint", "--compare", "--growth");
        for (Workload workload : Workload.values()) {
            assertThat(help).contains(workload.word());
        }
    }
}
