package dev.trestle.cli;

import dev.trestle.catalogue.Catalogue;
import dev.trestle.commandline.Version;
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
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trestle partitions}: lists the partition ranges of a cluster, and splits, merges and moves them. */
@Command(
        name = "partitions",
        description = "Lists the partition ranges of an HBase cluster with their servers, sizes and request rates, or"
                + " changes them. A partition is always within one range.",
        footer = {"", "Trestle and HBase also split, merge and move ranges by themselves: see docs/hbase.md."},
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class PartitionsCommand implements Callable<Integer> {
    private static final Duration RATE_INTERVAL = Duration.ofSeconds(2);

    private final PrintStream out;
    private final Duration rateInterval;
    private final Function<ClusterOptions, Cluster> opener;

    @Mixin
    private final ClusterOptions options = new ClusterOptions();

    /**
     * An open cluster.
     *
     * @param names reads the names of the tables by their ids
     */
    record Cluster(PartitionRanges ranges, Supplier<Map<Long, String>> names, Runnable closing)
            implements AutoCloseable {
        static Cluster open(ClusterOptions options) {
            Storage opened = options.open();
            return new Cluster(
                    opened.ranges().orElseThrow(),
                    () -> Stages.await(Catalogue.names(opened.engine())),
                    opened.engine()::close);
        }

        @Override
        public void close() {
            closing.run();
        }
    }

    PartitionsCommand(PrintStream out) {
        this(out, RATE_INTERVAL, Cluster::open);
    }

    /** @param rateInterval between the two readings of the counters that make a rate */
    PartitionsCommand(PrintStream out, Duration rateInterval, Function<ClusterOptions, Cluster> opener) {
        this.out = out;
        this.rateInterval = rateInterval;
        this.opener = opener;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (Cluster cluster = opener.apply(options)) {
            list(cluster.ranges(), cluster.names().get());
        }
        return ExitCode.OK;
    }

    @Command(
            name = "split",
            description = "Splits a range into two: at a partition near the middle, or --at one.",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class)
    int split(
            @Parameters(paramLabel = "RANGE", description = "The range, as listed.") String range,
            @Option(names = "--at", paramLabel = "ACCOUNT/TABLE/PARTITIONKEY") Optional<String> at)
            throws InterruptedException {
        return change((ranges, names) -> ranges.split(range, at.map(text -> position(text, names))));
    }

    @Command(
            name = "merge",
            description = "Merges two neighbouring ranges into one.",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class)
    int merge(
            @Parameters(index = "0", paramLabel = "RANGE", description = "The first range, as listed.") String range,
            @Parameters(index = "1", paramLabel = "NEXT", description = "The range after it.") String next)
            throws InterruptedException {
        return change((ranges, names) -> ranges.merge(range, next));
    }

    @Command(
            name = "move",
            description = "Moves a range to another server: to any, or --to one.",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class)
    int move(
            @Parameters(paramLabel = "RANGE", description = "The range, as listed.") String range,
            @Option(names = "--to", paramLabel = "SERVER") Optional<String> server)
            throws InterruptedException {
        return change((ranges, names) -> ranges.move(range, server));
    }

    private int change(BiFunction<PartitionRanges, Map<Long, String>, CompletionStage<?>> change)
            throws InterruptedException {
        try (Cluster cluster = opener.apply(options)) {
            Map<Long, String> names = cluster.names().get();
            Stages.await(change.apply(cluster.ranges(), names));
            out.println("Done.");
            list(cluster.ranges(), names);
        }
        return ExitCode.OK;
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
        Stages.await(ranges.list()).forEach(range -> before.put(range.id(), range));
        long begun = System.nanoTime();
        Thread.sleep(rateInterval.toMillis());
        List<Range> now = Stages.await(ranges.list());
        double seconds = (System.nanoTime() - begun) / 1e9;
        List<String[]> lines = new ArrayList<>();
        lines.add(new String[] {"range", "from", "server", "MB", "reads/s", "writes/s"});
        for (Range range : now) {
            Range earlier = before.getOrDefault(range.id(), range);
            lines.add(new String[] {
                range.id(),
                boundary(range.from(), names),
                range.server().orElse("none"),
                String.format(Locale.ROOT, "%,.1f", range.bytes() / 1e6),
                rate(earlier.reads(), range.reads(), seconds),
                rate(earlier.writes(), range.writes(), seconds)
            });
        }
        print(lines);
        Set<String> busy =
                now.stream().flatMap(range -> range.server().stream()).collect(Collectors.toSet());
        Stages.await(ranges.servers()).stream()
                .filter(server -> !busy.contains(server))
                .forEach(server -> out.println("Server " + server + " has no ranges."));
    }

    private static String rate(long before, long now, double seconds) {
        return String.format(Locale.ROOT, "%,.0f", Math.max(0, now - before) / seconds);
    }

    /** Returns the table and the partition key at the start of a range, which is the end of the one before. */
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
        String format = IntStream.range(0, lines.get(0).length)
                .mapToObj(column -> "%" + (column < 3 ? "-" : "") + width(lines, column) + "s")
                .collect(Collectors.joining("  "));
        lines.forEach(line -> out.println(String.format(format, (Object[]) line).stripTrailing()));
    }

    private static int width(List<String[]> lines, int column) {
        return lines.stream().mapToInt(line -> line[column].length()).max().orElseThrow();
    }
}
