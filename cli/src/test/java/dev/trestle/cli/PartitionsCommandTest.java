package dev.trestle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.PartitionRanges.Range;
import dev.trestle.keyspace.Key;
import dev.trestle.testkit.ModelRanges;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class PartitionsCommandTest {
    private static final long ORDERS = 0x0101_0101_0101_0101L;
    private static final byte[] OPEN = {};
    private static final byte[] EU = Key.beforePartition(ORDERS, "eu");
    private static final Map<Long, String> NAMES = Map.of(ORDERS, "account/orders");

    private final ModelRanges ranges = new ModelRanges(
            new Range("one", OPEN, EU, Optional.of("host,16020,1"), 1_500_000_000L, 0, 0),
            new Range("two", EU, OPEN, Optional.empty(), 0, 0, 0));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private List<String> run(String... words) throws Exception {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        new PartitionsCommand(stream, stream, Duration.ofMillis(1))
                .act(new CommandLine(PartitionsCommand.spec()).parseArgs(words), ranges, NAMES);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
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
    void the_list_is_a_table_in_words_of_its_users() throws Exception {
        assertThat(run())
                .containsExactly(
                        "range  from                 server             MB  reads/s  writes/s",
                        "one    the beginning        host,16020,1  1,500.0        0         0",
                        "two    account/orders 'eu'  nobody now        0.0        0         0",
                        "No range is on another.");
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
    void a_range_is_split_at_the_partition_that_is_named() throws Exception {
        assertThat(run("split", "one", "--at", "account/Orders/a/b")).startsWith("Done.");
        assertThat(ids()).containsExactly("one1", "one2", "two");
        assertThat(first().to()).isEqualTo(Key.beforePartition(ORDERS, "a/b"));
    }

    @Test
    void a_range_may_be_split_before_a_whole_table() throws Exception {
        run("split", "one", "--at", "account/orders");
        assertThat(first().to()).isEqualTo(Key.beforePartition(ORDERS, ""));
    }

    @Test
    void a_table_that_is_not_there_is_named() {
        assertThatThrownBy(() -> run("split", "one", "--at", "account/invoices/x"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("There is no table account/invoices;");
    }

    @Test
    void two_ranges_are_merged() throws Exception {
        assertThat(run("merge", "one", "two")).startsWith("Done.");
        assertThat(ids()).containsExactly("onetwo");
    }

    @Test
    void a_range_moves_to_the_server_that_is_named_or_to_any() throws Exception {
        run("move", "one", "--to", "other,16020,1");
        assertThat(first().server()).hasValue("other,16020,1");
        run("move", "one");
        assertThat(first().server()).hasValue("another");
    }

    @Test
    void what_the_cluster_refuses_is_said_as_it_says_it() {
        assertThatThrownBy(() -> run("move", "nowhere"))
                .isInstanceOf(EngineException.class)
                .hasMessage("There is no range nowhere now.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"split", "merge one", "move", "move one two", "remove one"})
    void anything_else_is_refused(String words) {
        assertThatThrownBy(() -> run(words.split(" ", -1)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("The command takes nothing, or split RANGE");
        assertThat(ids()).containsExactly("one", "two");
    }
}
