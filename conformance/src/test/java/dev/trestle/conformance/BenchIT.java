package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.conformance.TrestleProcess.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load driver as its users have it. */
class BenchIT {
    private static final List<String> WORKLOADS = List.of(
            "point-read",
            "range-100",
            "partition-scan",
            "table-scan",
            "log-tail",
            "mixed",
            "insert",
            "transaction-100",
            "upsert-merge");

    @TempDir
    private Path folder;

    @Test
    void every_workload_gives_figures_and_no_errors() throws IOException {
        Path json = folder.resolve("figures.json");
        try (TrestleProcess server = TrestleProcess.on(folder.resolve("data"))) {
            Ended bench = bench(server, "--seconds=0.4", "--rate=max", "--json=" + json);
            assertThat(bench.output()).contains("requests/s", "p99.9 ms").doesNotContain("VOID");
            assertThat(bench.code()).isZero();
            assertThat(bench.output()).contains(WORKLOADS);
            String figures = Files.readString(json);
            assertThat(figures).contains("\"void\" : false", "\"software\" : \"Trestle\"", "\"p99.9\" : ");
            for (String workload : WORKLOADS) {
                assertThat(figures).contains("\"workload\" : \"" + workload + "\"");
            }
        }
    }

    @Test
    void a_server_of_its_own_is_compared_with_the_bare_loop_and_both_are_gone_afterwards() {
        Path data = folder.resolve("kept");
        Ended bench = TrestleProcess.runByLauncher(
                "bench",
                "--endpoint=own",
                "--compare=bare",
                "--workload=point-read,partition-scan,transaction-100",
                "--entities=2000",
                "--seconds=0.3",
                "--warmup=0",
                "--rounds=2",
                "--data=" + data);
        assertThat(bench.output()).contains("CPU ratio", "1 is own, 2 is bare").doesNotContain("VOID");
        assertThat(bench.code()).isZero();
        assertThat(data).isDirectoryContaining("glob:**/own").isDirectoryNotContaining("glob:**/bare");
        // The folder can be reused, and contains the loaded data.
        try (TrestleProcess server = TrestleProcess.on(data.resolve("own"))) {
            assertThat(Sdk.service(server)
                            .getTableClient("bench")
                            .getEntity("benchmark", "loaded")
                            .getProperty("Entities"))
                    .isEqualTo(2000L);
        }
    }

    @Test
    void growth_is_measured_at_each_size() throws IOException {
        Ended bench = TrestleProcess.runByLauncher(
                "bench",
                "--endpoint=own",
                "--growth=1000,3000",
                "--workload=point-read,log-tail",
                "--seconds=0.3",
                "--warmup=0");
        assertThat(bench.output()).contains("until serving s", "3,000").doesNotContain("VOID");
        assertThat(bench.code()).isZero();
    }

    @Test
    void a_server_that_refuses_requests_makes_the_run_void() throws IOException {
        Path json = folder.resolve("figures.json");
        try (TrestleProcess filled = TrestleProcess.on(folder.resolve("data"))) {
            assertThat(bench(filled, "--workload=log-tail", "--seconds=0.2").code())
                    .isZero();
        }
        try (TrestleProcess server =
                TrestleProcess.start("--data", folder.resolve("data").toString(), "--limit-account-requests", "20")) {
            Ended bench = bench(server, "--workload=point-read,insert", "--seconds=1", "--json=" + json);
            assertThat(bench.output()).contains("VOID: point-read", "503", "ServerBusy");
            assertThat(bench.code()).isEqualTo(1);
            assertThat(Files.readString(json)).contains("\"void\" : true");
        }
    }

    @Test
    void a_table_of_somebody_else_is_neither_filled_nor_dropped() {
        try (TrestleProcess server = TrestleProcess.inMemory()) {
            Sdk.service(server).createTable("bench");
            Ended bench = bench(server, "--workload=insert", "--drop");
            assertThat(bench.code()).isEqualTo(1);
            assertThat(bench.output()).contains("There is a table bench that was not made by this command");
            assertThat(Sdk.service(server).getTableClient("bench").listEntities())
                    .isEmpty();
        }
    }

    private static Ended bench(TrestleProcess server, String... options) {
        String[] arguments = new String[options.length + 4];
        arguments[0] = "bench";
        arguments[1] = "--endpoint=" + server.endpoint();
        arguments[2] = "--entities=2000";
        arguments[3] = "--warmup=0";
        System.arraycopy(options, 0, arguments, 4, options.length);
        return TrestleProcess.runByLauncher(arguments);
    }
}
