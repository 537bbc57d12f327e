package dev.trestle.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.benchmarks.load.BenchTable;
import dev.trestle.benchmarks.load.Comparison;
import dev.trestle.benchmarks.load.DataSet;
import dev.trestle.benchmarks.load.Endpoint;
import dev.trestle.benchmarks.load.FakeServer;
import dev.trestle.benchmarks.load.FakeServer.Response;
import dev.trestle.benchmarks.load.InsertKeys;
import dev.trestle.benchmarks.load.Measurement;
import dev.trestle.benchmarks.load.Mode;
import dev.trestle.benchmarks.load.Plan;
import dev.trestle.benchmarks.load.Subject;
import dev.trestle.benchmarks.load.Target;
import dev.trestle.benchmarks.load.Workload;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.Storage;
import dev.trestle.engine.files.LocalContentStore;
import dev.trestle.engine.rocksdb.RocksEngine;
import dev.trestle.engine.rocksdb.RocksEngineConfig;
import dev.trestle.server.BlobConfig;
import dev.trestle.server.ServerConfig;
import dev.trestle.server.TrestleServer;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs, against a real server in this process. */
class BenchTest {
    /** Everything is allowed until 2099, signed with the development key. */
    private static final String SAS = "sv=2019-02-02&ss=t&srt=sco&sp=rwdlacu&se=2099-01-01T00:00:00Z&spr=https,http"
            + "&sig=p8wax4aIU7vXZ8f8KX7TNwC%2B48Aw4AwSmVILNF1yni8%3D";

    private static RocksEngine engine;
    private static TrestleServer server;
    private static String url;
    private static String queues;
    private static String blobs;

    @TempDir
    private static Path contents;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeAll
    static void start() {
        engine = RocksEngine.open(RocksEngineConfig.inMemory(), InstantSource.system());
        server = TrestleServer.start(
                new ServerConfig(
                        "127.0.0.1",
                        Map.of(Service.TABLE, 0, Service.QUEUE, 0, Service.BLOB, 0),
                        Accounts.DEVELOPMENT,
                        Optional.empty(),
                        true,
                        HttpConfig.DEFAULT,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        BlobConfig.DEFAULT,
                        SocketTransport.AUTO),
                new Storage(engine, engine.telemetry(), () -> LocalContentStore.open(contents, false)));
        url = "http://127.0.0.1:" + server.port(Service.TABLE) + "/devstoreaccount1";
        blobs = "http://127.0.0.1:" + server.port(Service.BLOB) + "/devstoreaccount1";
        queues = "http://127.0.0.1:" + server.port(Service.QUEUE) + "/devstoreaccount1";
    }

    @AfterAll
    static void stop() {
        server.close();
        engine.close();
    }

    private static Plan plan(Mode mode, Workload... workloads) {
        return new Plan(List.of(workloads), OptionalInt.of(4), Duration.ofMillis(200), Duration.ofMillis(50), mode, 2);
    }

    private static BenchConfig config(
            String endpoint, Optional<String> compare, String table, Plan plan, boolean drop) {
        return new BenchConfig(
                Endpoint.Given.url(endpoint),
                compare.map(Endpoint.Given::url),
                Optional.of(Endpoint.Given.url(queues)),
                10,
                Optional.of(Endpoint.Given.url(blobs)),
                1000,
                OptionalLong.empty(),
                table,
                2000,
                2000,
                plan,
                List.of(),
                Optional.empty(),
                drop,
                Optional.of("-"),
                List.of());
    }

    private boolean run(BenchConfig config) throws IOException, InterruptedException {
        out.reset();
        err.reset();
        return new Bench(
                        config,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run();
    }

    private String json() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void every_workload_runs_without_errors_in_an_open_loop() throws IOException, InterruptedException {
        boolean good = run(config(url, Optional.empty(), "all", plan(new Mode.Share(0.5), Workload.values()), false));
        assertThat(json()).contains("\"void\" : false").doesNotContain("\"loop\" : \"closed\"");
        assertThat(good).isTrue();
        for (Workload workload : Workload.values()) {
            assertThat(json()).contains("\"workload\" : \"" + workload.word() + "\"");
        }
        assertThat(json().split("\"errors\" : 0,", -1)).hasSize(Workload.values().length + 1);
    }

    @Test
    void a_table_is_loaded_once_and_dropped_when_asked_to() throws IOException, InterruptedException {
        BenchConfig keep = config(url, Optional.empty(), "kept", plan(new Mode.Closed(), Workload.TABLE_SCAN), false);
        BenchConfig drop = config(url, Optional.empty(), "kept", plan(new Mode.Closed(), Workload.TABLE_SCAN), true);
        assertThat(run(keep)).isTrue();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("2,000 of 2,000 entities");
        assertThat(run(drop)).isTrue();
        assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("entities");
        assertThat(run(drop)).isTrue();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("2,000 of 2,000 entities");
    }

    @Test
    void blobs_are_put_once_and_need_no_table() throws IOException, InterruptedException {
        String nowhere = "http://127.0.0.1:1/devstoreaccount1";
        BenchConfig config =
                config(nowhere, Optional.empty(), "Pictures", plan(new Mode.Closed(), Workload.BLOB_LIST), false);
        assertThat(run(config)).isTrue();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("1,000 of 1,000");
        assertThat(json()).contains("\"entities\" : 1000");
        assertThat(run(config)).isTrue();
        assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("1,000 of 1,000");
    }

    @Test
    void a_large_blob_is_compared_with_a_file() throws IOException, InterruptedException {
        List<String> lines = new Streams(
                        Endpoint.of(Endpoint.Given.url(blobs)), 3_000_000, 2, contents.resolve("files"), System.err)
                .run();
        assertThat(lines).anyMatch(line -> line.matches("put a blob +[\\d,]+ +[\\d,]+-[\\d,]+ +[\\d,]+"));
        assertThat(lines).anyMatch(line -> line.startsWith("get the blob / copy a file: "));
    }

    @Test
    void a_shared_access_signature_is_enough_and_is_not_printed() throws IOException, InterruptedException {
        boolean good = run(config(
                url + "?" + SAS,
                Optional.empty(),
                "signed",
                plan(new Mode.Open(50), Workload.POINT_READ, Workload.RANGE_100, Workload.TRANSACTION_100),
                false));
        assertThat(good).isTrue();
        assertThat(json() + err.toString(StandardCharsets.UTF_8)).doesNotContain("sig=", "p8wax4a");
    }

    @Test
    void a_server_compared_with_itself_has_ratios() throws IOException, InterruptedException {
        boolean good = run(config(url, Optional.of(url), "twice", plan(new Mode.Closed(), Workload.MIXED), false));
        assertThat(good).isTrue();
        assertThat(json()).containsPattern("\"ratios\" : \\[ \\{\\s+\"workload\" : \"mixed\"");
    }

    @Test
    void open_loops_on_two_servers_have_the_same_rate_and_the_disk_beside_them() throws Exception {
        Endpoint endpoint = Endpoint.of(Endpoint.Given.url(url));
        DataSet data = DataSet.of(1000);
        Target target = Target.table("own", endpoint, "latency");
        new BenchTable(endpoint, "latency").prepare(target, data, System.err);
        Subject first = subject(target, data, "first");
        Subject second = subject(target, data, "second");
        Plan plan = plan(new Mode.Share(0.5), Workload.POINT_READ, Workload.INSERT);
        List<Comparison> compared =
                new Measurement(plan, Optional.of(contents)).compareAll(first, second, workload -> {});
        assertThat(compared)
                .hasSize(2)
                .noneMatch(Comparison::isVoid)
                .allSatisfy(one -> assertThat(one.first().mode())
                        .isInstanceOf(Mode.Open.class)
                        .isEqualTo(one.second().orElseThrow().mode()));
        assertThat(compared.get(0).disk()).as("nothing is written").isEmpty();
        assertThat(compared.get(1).disk().orElseThrow().getTotalCount()).isPositive();
    }

    private static Subject subject(Target target, DataSet data, String name) {
        return new Subject(target, Optional.empty(), Optional.empty(), data, new InsertKeys(name), Optional.empty());
    }

    @Test
    void a_table_of_somebody_else_is_left_alone() throws IOException, InterruptedException {
        try (FakeServer server = new FakeServer((request, method, path) -> method.equals("GET")
                ? new Response(404, "{\"odata.error\":{\"code\":\"ResourceNotFound\"}}")
                : new Response(409, "{\"odata.error\":{\"code\":\"TableAlreadyExists\"}}"))) {
            BenchConfig theirs = config(
                    "http://127.0.0.1:" + server.address().port() + "/devstoreaccount1",
                    Optional.empty(),
                    "theirs",
                    plan(new Mode.Closed(), Workload.INSERT),
                    true);
            assertThatThrownBy(() -> run(theirs))
                    .hasMessage("There is a table theirs that was not made by this command; choose another name with"
                            + " --table.");
        }
    }

    @Test
    void a_table_that_holds_more_than_asked_for_is_not_measured_as_a_smaller_one() throws Exception {
        Plan plan = plan(new Mode.Closed(), Workload.LOG_TAIL);
        assertThat(run(config(url, Optional.empty(), "larger", plan, false))).isTrue();
        BenchConfig config = config(url, Optional.empty(), "larger", plan, false);
        BenchConfig smaller = new BenchConfig(
                config.endpoint(),
                config.compare(),
                config.queueEndpoint(),
                0,
                config.blobEndpoint(),
                1000,
                OptionalLong.empty(),
                config.table(),
                1000,
                1000,
                plan,
                List.of(),
                config.data(),
                false,
                config.json(),
                config.serve());
        assertThatThrownBy(() -> run(smaller)).hasMessageContaining("holds 2000 entities already");
    }

    @Test
    void an_endpoint_that_answers_errors_makes_a_run_void() throws IOException, InterruptedException {
        try (FakeServer server = new FakeServer((request, method, path) -> path.contains("'loaded'")
                ? new Response(200, "{\"Entities\":\"2000\"}")
                : new Response(500, "{\"odata.error\":{\"code\":\"InternalError\"}}"))) {
            String broken = "http://127.0.0.1:" + server.address().port() + "/devstoreaccount1";
            boolean good = run(config(
                    broken,
                    Optional.empty(),
                    "bench",
                    plan(new Mode.Share(0.7), Workload.POINT_READ, Workload.INSERT),
                    false));
            assertThat(good).isFalse();
            assertThat(json())
                    .contains("\"void\" : true", "got status 500 instead of 200, InternalError")
                    .doesNotContain("\"workload\" : \"insert\"");
        }
    }
}
