package dev.trestle.cli;

import dev.trestle.benchmarks.BenchConfig;
import dev.trestle.benchmarks.load.DataSet;
import dev.trestle.benchmarks.load.Endpoint;
import dev.trestle.benchmarks.load.Mode;
import dev.trestle.benchmarks.load.Plan;
import dev.trestle.benchmarks.load.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** Makes of the options of {@code trestle bench} what is to be measured, or says in a sentence why that cannot be. */
final class BenchConfigReader {
    private static final String ALL = "all";
    private static final String MAX = "max";
    private static final String DEFAULT_TABLE = "bench";
    private static final Pattern TABLE_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9]{2,62}");

    private BenchConfigReader() {}

    static BenchConfig read(ParseResult given) {
        Optional<String> compare = text(given, BenchCommand.COMPARE);
        List<Long> growth = text(given, BenchCommand.GROWTH)
                .map(list -> split(list)
                        .map(size -> entities(BenchCommand.GROWTH, size))
                        .toList())
                .orElse(List.of());
        Endpoint.Given endpoint = endpoint(
                given, BenchCommand.ENDPOINT, text(given, BenchCommand.ENDPOINT).orElse(Endpoint.DEVELOPMENT));
        checkEndpoints(given, endpoint, compare, growth);
        Plan plan = plan(given, compare.isPresent() || !growth.isEmpty());
        checkBlobs(plan, compare, growth);
        OptionalLong stream = text(given, BenchCommand.STREAM)
                .map(size -> OptionalLong.of(ServeConfigReader.bytes(size)))
                .orElse(OptionalLong.empty());
        return new BenchConfig(
                endpoint,
                compare.map(url -> endpoint(given, BenchCommand.COMPARE, url)),
                endpointBeside(
                        given,
                        endpoint,
                        plan.workloads().stream().anyMatch(Workload::isOfQueues),
                        BenchCommand.QUEUE_ENDPOINT,
                        "queues",
                        Endpoint.DEVELOPMENT_QUEUES),
                (long) number(
                        BenchCommand.MESSAGES,
                        text(given, BenchCommand.MESSAGES).orElse("0"),
                        0,
                        1e9),
                endpointBeside(
                        given,
                        endpoint,
                        stream.isPresent() || plan.workloads().stream().anyMatch(Workload::isOfBlobs),
                        BenchCommand.BLOB_ENDPOINT,
                        "blobs",
                        Endpoint.DEVELOPMENT_BLOBS),
                entities(BenchCommand.BLOBS, text(given, BenchCommand.BLOBS).orElse("10000")),
                stream,
                table(text(given, BenchCommand.TABLE).orElse(DEFAULT_TABLE)),
                entities(
                        BenchCommand.ENTITIES,
                        text(given, BenchCommand.ENTITIES).orElse("100000")),
                text(given, BenchCommand.WORKING_SET)
                        .map(size -> entities(BenchCommand.WORKING_SET, size))
                        .orElse(Long.MAX_VALUE),
                plan,
                growth,
                text(given, BenchCommand.DATA).map(Path::of),
                given.hasMatchedOption(BenchCommand.DROP),
                text(given, BenchCommand.JSON),
                text(given, BenchCommand.SVG).map(Path::of),
                List.of(Main.class.getName(), Main.SERVE, ServeOption.TABLE_PORT.flag(), "0"));
    }

    private static Plan plan(ParseResult given, boolean closedUnlessTold) {
        return new Plan(
                workloads(text(given, BenchCommand.WORKLOAD).orElse(ALL)),
                text(given, BenchCommand.CONNECTIONS)
                        .map(number -> OptionalInt.of((int) number(BenchCommand.CONNECTIONS, number, 1, 10_000)))
                        .orElse(OptionalInt.empty()),
                seconds(given, BenchCommand.SECONDS, "5", 0.1),
                seconds(given, BenchCommand.WARMUP, "3", 0),
                mode(given, closedUnlessTold),
                (int) number(
                        BenchCommand.ROUNDS, text(given, BenchCommand.ROUNDS).orElse("4"), 1, 1000));
    }

    private static void checkEndpoints(
            ParseResult given, Endpoint.Given endpoint, Optional<String> compare, List<Long> growth) {
        if (!growth.isEmpty() && (compare.isPresent() || !endpoint.url().equals(BenchConfig.OWN))) {
            throw new ConfigException("The option --growth goes with --endpoint own, and not with --compare.");
        }
        if (text(given, BenchCommand.SVG).isPresent() && growth.isEmpty()) {
            throw new ConfigException("The option --svg goes with --growth.");
        }
        if (endpoint.url().equals(BenchConfig.BARE)) {
            throw new ConfigException("The bare loop is to --compare with; it is no endpoint.");
        }
    }

    private static void checkBlobs(Plan plan, Optional<String> compare, List<Long> growth) {
        if (!growth.isEmpty() && plan.workloads().stream().allMatch(Workload::isOfBlobs)) {
            throw new ConfigException(
                    "The option --growth is about tables; for blobs, run with one --blobs after another.");
        }
        boolean elsewhere = compare.filter(url -> !url.equals(BenchConfig.OWN) && !url.equals(BenchConfig.BARE))
                .isPresent();
        if (elsewhere && plan.workloads().stream().anyMatch(Workload::isOfBlobs)) {
            throw new ConfigException("The workloads of blobs are compared with --compare own only.");
        }
    }

    private static Endpoint.Given endpoint(ParseResult given, String option, String url) {
        String prefix = BenchCommand.prefix(option);
        Endpoint.Given endpoint = new Endpoint.Given(
                url, text(given, prefix + "account"), text(given, prefix + "key"), text(given, prefix + "sas"));
        try {
            if (!url.equals(BenchConfig.OWN) && !url.equals(BenchConfig.BARE)) {
                Endpoint.of(endpoint);
            }
            return endpoint;
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    /** The endpoint of another service, with the account and the key of the Table endpoint. */
    private static Optional<Endpoint.Given> endpointBeside(
            ParseResult given, Endpoint.Given tables, boolean wanted, String option, String what, String development) {
        if (!wanted || tables.url().equals(BenchConfig.OWN)) {
            return Optional.empty();
        }
        String url = text(given, option).orElseGet(() -> {
            if (!tables.url().equals(Endpoint.DEVELOPMENT)) {
                throw new ConfigException(
                        "The workloads of " + what + " need " + option + " beside " + BenchCommand.ENDPOINT + ".");
            }
            return development;
        });
        return Optional.of(endpoint(given, BenchCommand.ENDPOINT, url));
    }

    private static String table(String name) {
        if (!TABLE_NAME.matcher(name).matches()) {
            throw new ConfigException("A table's name is 3 to 63 letters and digits, the first a letter.");
        }
        return name;
    }

    private static List<Workload> workloads(String list) {
        if (list.equals(ALL)) {
            return Workload.ofTables();
        }
        List<String> known = Stream.of(Workload.values()).map(Workload::word).toList();
        return split(list)
                .map(word -> Workload.of(word)
                        .orElseThrow(() -> new ConfigException("There is no workload " + word
                                + "; the nearest known one is " + Nearest.to(word, known) + ".")))
                .toList();
    }

    private static Mode mode(ParseResult given, boolean closedUnlessTold) {
        Optional<String> rate = text(given, BenchCommand.RATE);
        Optional<String> share = text(given, BenchCommand.LOAD);
        if (share.isPresent() && (rate.isPresent() || closedUnlessTold)) {
            throw new ConfigException("The option --load goes with none of --rate, --compare and --growth.");
        }
        if (rate.isPresent() && !rate.get().equals(MAX)) {
            return new Mode.Open(number(BenchCommand.RATE, rate.get(), 0.001, 1e7));
        }
        return rate.isPresent() || closedUnlessTold
                ? new Mode.Closed()
                : new Mode.Share(number(BenchCommand.LOAD, share.orElse("0.7"), 0.01, 10));
    }

    private static long entities(String option, String text) {
        double number = number(option, text, DataSet.PARTITION_ROWS, 1e9);
        if (number % DataSet.PARTITION_ROWS != 0) {
            throw new ConfigException(
                    "The option " + option + " takes multiples of " + DataSet.PARTITION_ROWS + ", not " + text + ".");
        }
        return (long) number;
    }

    private static Duration seconds(ParseResult given, String option, String otherwise, double least) {
        return Duration.ofMillis(
                Math.round(1000 * number(option, text(given, option).orElse(otherwise), least, 86_400)));
    }

    private static double number(String option, String text, double least, double most) {
        try {
            double number = Double.parseDouble(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, with the other numbers that will not do.
        }
        throw new ConfigException("The option " + option + " takes a number from " + plain(least) + " to " + plain(most)
                + ", not " + text + ".");
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    private static Stream<String> split(String list) {
        return Stream.of(list.split(",", -1)).map(String::strip);
    }

    private static Optional<String> text(ParseResult given, String option) {
        return Optional.ofNullable(given.matchedOptionValue(option, (String) null));
    }
}
