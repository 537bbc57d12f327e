package dev.trestle.cli;

import dev.trestle.catalogue.Catalogue;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.PartitionRanges;
import dev.trestle.engine.PartitionRanges.Range;
import dev.trestle.engine.Storage;
import dev.trestle.keyspace.Key;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code trestle partitions}: shows the ranges of partitions in a cluster, and splits, merges and moves them. */
final class PartitionsCommand {
    static final String NAME = "partitions";

    private static final String AT = "--at";
    private static final String TO = "--to";
    private static final Duration RATE_TIME = Duration.ofSeconds(2);

    private final PrintStream out;
    private final PrintStream err;
    private final Duration rateTime;

    PartitionsCommand(PrintStream out, PrintStream err) {
        this(out, err, RATE_TIME);
    }

    /** @param rateTime between the two looks that make a rate */
    PartitionsCommand(PrintStream out, PrintStream err, Duration rateTime) {
        this.out = out;
        this.err = err;
        this.rateTime = rateTime;
    }

    static CommandSpec spec() {
        CommandSpec command = CommandSpec.create().name(NAME);
        command.usageMessage()
                .description("Shows the ranges of partitions in an HBase cluster with their servers, sizes and request"
                        + " rates, or changes them. A partition is always within one range.")
                .footer(
                        "",
                        "trestle partitions                     the list",
                        "trestle partitions split RANGE         in two, about the middle or --at a partition",
                        "trestle partitions merge RANGE NEXT    two neighbours into one",
                        "trestle partitions move RANGE          to another server, or --to one",
                        "",
                        "All of it happens by itself too: see docs/hbase.md.")
                .sortOptions(false);
        command.addPositional(PositionalParamSpec.builder()
                .paramLabel("split|merge|move RANGE [NEXT]")
                .arity("0..3")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description("What to do to which range, as the list names them.")
                .build());
        ClusterOptions.addTo(command);
        command.addOption(OptionSpec.builder(AT)
                .type(String.class)
                .arity("1")
                .paramLabel("ACCOUNT/TABLE/PARTITIONKEY")
                .description("The first partition of the second range.")
                .build());
        command.addOption(OptionSpec.builder(TO)
                .type(String.class)
                .arity("1")
                .paramLabel("SERVER")
                .description("A server as the list names it.")
                .build());
        return command;
    }

    /** Runs it and returns the exit code. */
    int run(ParseResult given, Map<String, String> environment) throws InterruptedException {
        try {
            Storage opened = ClusterOptions.open(given, environment);
            try (var engine = opened.engine()) {
                PartitionRanges ranges = opened.ranges().orElseThrow();
                Map<Long, String> names = ClusterOptions.await(Catalogue.names(engine));
                act(given, ranges, names);
            }
            return Main.OK;
        } catch (EngineException e) {
            err.println(e.getMessage());
            return Main.FAILED;
        }
    }

    void act(ParseResult given, PartitionRanges ranges, Map<Long, String> names) throws InterruptedException {
        List<String> words =
                given.matchedPositionals().isEmpty() ? List.of() : given.matchedPositionalValue(0, List.<String>of());
        if (words.isEmpty()) {
            list(ranges, names);
            return;
        }
        switch (words.get(0) + words.size()) {
            case "split2" -> {
                String at = given.matchedOptionValue(AT, (String) null);
                ClusterOptions.await(
                        ranges.split(words.get(1), at == null ? Optional.empty() : Optional.of(position(at, names))));
            }
            case "merge3" -> ClusterOptions.await(ranges.merge(words.get(1), words.get(2)));
            case "move2" ->
                ClusterOptions.await(
                        ranges.move(words.get(1), Optional.ofNullable(given.matchedOptionValue(TO, (String) null))));
            default ->
                throw new ConfigException(
                        "The command takes nothing, or split RANGE, merge RANGE NEXT or move RANGE; see"
                                + " trestle partitions --help.");
        }
        out.println("Done.");
        list(ranges, names);
    }

    private static byte[] position(String text, Map<Long, String> names) {
        int slash = text.indexOf('/', text.indexOf('/') + 1);
        String table = slash < 0 ? text : text.substring(0, slash);
        long id = names.entrySet().stream()
                .filter(entry -> entry.getValue().equalsIgnoreCase(table))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new ConfigException("There is no table " + table
                        + "; --at takes an account, a table and a partition key with slashes between."));
        return Key.beforePartition(id, slash < 0 ? "" : text.substring(slash + 1));
    }

    private void list(PartitionRanges ranges, Map<Long, String> names) throws InterruptedException {
        Map<String, Range> before = new HashMap<>();
        ClusterOptions.await(ranges.list()).forEach(range -> before.put(range.id(), range));
        long begun = System.nanoTime();
        Thread.sleep(rateTime.toMillis());
        List<Range> now = ClusterOptions.await(ranges.list());
        double seconds = (System.nanoTime() - begun) / 1e9;
        List<String[]> lines = new ArrayList<>();
        lines.add(new String[] {"range", "from", "server", "MB", "reads/s", "writes/s"});
        for (Range range : now) {
            Range earlier = before.getOrDefault(range.id(), range);
            lines.add(new String[] {
                range.id(),
                boundary(range.from(), names),
                range.server().orElse("nobody now"),
                String.format(Locale.ROOT, "%,.1f", range.bytes() / 1e6),
                rate(earlier.reads(), range.reads(), seconds),
                rate(earlier.writes(), range.writes(), seconds)
            });
        }
        print(lines);
        Set<String> busy =
                now.stream().flatMap(range -> range.server().stream()).collect(Collectors.toSet());
        ClusterOptions.await(ranges.servers()).stream()
                .filter(server -> !busy.contains(server))
                .forEach(server -> out.println("No range is on " + server + "."));
    }

    private static String rate(long before, long now, double seconds) {
        return String.format(Locale.ROOT, "%,.0f", Math.max(0, now - before) / seconds);
    }

    /** Where a range begins, in words of its users: each ends where the next begins. */
    static String boundary(byte[] key, Map<Long, String> names) {
        if (key.length < Long.BYTES) {
            return "the beginning";
        }
        long id = Key.ofBytes(key).collection();
        String table = names.getOrDefault(id, String.format(Locale.ROOT, "table %x, deleted", id));
        int start = Key.partitionKeyStart();
        return key.length == start ? table : table + " '" + Key.decode(key, start, key.length - start) + "'";
    }

    private void print(List<String[]> lines) {
        int columns = lines.get(0).length;
        int[] widths = new int[columns];
        for (String[] line : lines) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], line[i].length());
            }
        }
        for (String[] line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String pad = " ".repeat(widths[i] - line[i].length());
                text.append(i < 3 ? line[i] + pad : pad + line[i]).append("  ");
            }
            out.println(text.toString().stripTrailing());
        }
    }
}
