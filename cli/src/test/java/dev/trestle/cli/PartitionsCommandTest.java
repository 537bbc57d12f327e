package dev.trestle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.cli.PartitionsCommand.Cluster;
import dev.trestle.commandline.UsageErrors;
import dev.trestle.engine.ClusterConfig;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.PartitionRanges.Range;
import dev.trestle.keyspace.Key;
import dev.trestle.testkit.ModelRanges;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

class PartitionsCommandTest {
    private static final long ORDERS = 0x0101_0101_0101_0101L;
    private static final byte[] OPEN = {};
    private static final byte[] EU = Key.beforePartition(ORDERS, "eu");
    private static final Map<Long, String> NAMES = Map.of(ORDERS, "account/orders");

    private final ModelRanges ranges = new ModelRanges(
            new Range("one", OPEN, EU, Optional.of("host,16020,1"), 1_500_000_000L, 0, 0),
            new Range("two", EU, OPEN, Optional.empty(), 0, 0, 0));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private Exception failure = new IllegalStateException("nothing has failed");

    /** Runs the command, which is expected to succeed. */
    private List<String> run(String... words) {
        assertThat(execute(words)).isZero();
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private int execute(String... words) {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        PartitionsCommand command = new PartitionsCommand(
                stream, Duration.ofMillis(1), options -> new Cluster(ranges, () -> NAMES, () -> {}));
        return new CommandLine(command)
                .setErr(new PrintWriter(stream, true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler((thrown, failed, parsed) -> {
                    failure = thrown;
                    return ExitCode.SOFTWARE;
                })
                .execute(words);
    }

    private List<String> ids() {
        return ranges.list().toCompletableFuture().join().stream()
                .map(Range::id)
                .toList();
    }

    private Range first() {
        return ranges.list().toCompletableFuture().join().get(0);
    }

    @Test
    void the_list_is_a_table_in_words_of_its_users() {
        assertThat(run())
                .containsExactly(
                        "range  from                 server             MB  reads/s  writes/s",
                        "one    the beginning        host,16020,1  1,500.0        0         0",
                        "two    account/orders 'eu'  none              0.0        0         0",
                        "Server another has no ranges.");
    }

    @Test
    void a_boundary_is_told_by_table_and_partition_key() {
        assertThat(PartitionsCommand.boundary(OPEN, NAMES)).isEqualTo("the beginning");
        assertThat(PartitionsCommand.boundary(EU, NAMES)).isEqualTo("account/orders 'eu'");
        assertThat(PartitionsCommand.boundary(Key.beforePartition(ORDERS, ""), NAMES))
                .isEqualTo("account/orders");
        assertThat(PartitionsCommand.boundary(EU, Map.of())).isEqualTo("table 101010101010101, deleted 'eu'");
    }

    @Test
    void a_range_is_split_at_the_partition_that_is_named() {
        assertThat(run("split", "one", "--at", "account/Orders/a/b")).startsWith("Done.");
        assertThat(ids()).containsExactly("one1", "one2", "two");
        assertThat(first().to()).isEqualTo(Key.beforePartition(ORDERS, "a/b"));
    }

    @Test
    void a_range_may_be_split_before_a_whole_table() {
        run("split", "one", "--at", "account/orders");
        assertThat(first().to()).isEqualTo(Key.beforePartition(ORDERS, ""));
    }

    @Test
    void a_table_that_is_not_there_is_named() {
        assertThat(execute("split", "one", "--at", "account/invoices/x")).isEqualTo(ExitCode.SOFTWARE);
        assertThat(failure)
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("There is no table account/invoices;");
    }

    @Test
    void two_ranges_are_merged() {
        assertThat(run("merge", "one", "two")).startsWith("Done.");
        assertThat(ids()).containsExactly("onetwo");
    }

    @Test
    void a_range_moves_to_the_server_that_is_named_or_to_any() {
        run("move", "one", "--to", "other,16020,1");
        assertThat(first().server()).hasValue("other,16020,1");
        run("move", "one");
        assertThat(first().server()).hasValue("another");
    }

    @Test
    void what_the_cluster_refuses_is_said_as_it_says_it() {
        assertThat(execute("move", "nowhere")).isEqualTo(ExitCode.SOFTWARE);
        assertThat(failure).isInstanceOf(EngineException.class).hasMessage("There is no range nowhere now.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "split | The split command needs RANGE; see partitions split --help.",
                "merge one | The merge command needs NEXT; see partitions merge --help.",
                "move | The move command needs RANGE; see partitions move --help.",
                "move one two | The move command takes fewer arguments; see partitions move --help.",
                "remove one | There is no command remove; the nearest known one is move.",
                "split one --to two | The option --to is unknown; see partitions split --help."
            })
    void anything_else_is_refused(String words, String sentence) {
        assertThat(execute(words.split(" ", -1))).isEqualTo(ExitCode.USAGE);
        assertThat(out.toString(StandardCharsets.UTF_8).strip()).isEqualTo(sentence);
        assertThat(ids()).containsExactly("one", "two");
    }

    @Test
    void the_cluster_is_named_in_the_environment_or_before_or_after_the_action() {
        Map<String, String> environment = Map.of("TRESTLE_HBASE_QUORUM", "zoo:2181");
        List<ClusterConfig> opened = new ArrayList<>();
        CommandLine command = new CommandLine(new PartitionsCommand(System.out, Duration.ofMillis(1), options -> {
                    opened.add(options.cluster());
                    return new Cluster(ranges, () -> NAMES, () -> {});
                }))
                .setDefaultValueProvider(ClusterOptions.fromEnvironment(environment));
        assertThat(command.execute("--hbase-namespace=mine", "merge", "one", "two"))
                .isZero();
        assertThat(command.execute("move", "onetwo", "--hbase-quorum=other:2181"))
                .isZero();
        assertThat(opened)
                .containsExactly(
                        new ClusterConfig(Optional.of("zoo:2181"), Optional.empty(), "mine", Optional.empty()),
                        new ClusterConfig(Optional.of("other:2181"), Optional.empty(), "trestle", Optional.empty()));
    }
}
