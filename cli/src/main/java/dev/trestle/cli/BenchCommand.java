package dev.trestle.cli;

import dev.trestle.benchmarks.Bench;
import dev.trestle.benchmarks.BenchConfig;
import dev.trestle.benchmarks.load.DataSet;
import dev.trestle.benchmarks.load.Endpoint;
import dev.trestle.benchmarks.load.Mode;
import dev.trestle.benchmarks.load.Plan;
import dev.trestle.benchmarks.load.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code trestle bench}: its options and what they mean. Nothing of the load driver is loaded before the command is
 * run, so that serving does not start later for it.
 */
final class BenchCommand {
    static final String NAME = "bench";

    private static final String ENDPOINT = "--endpoint";
    private static final String COMPARE = "--compare";
    private static final String WORKLOAD = "--workload";
    private static final String ENTITIES = "--entities";
    private static final String CONNECTIONS = "--connections";
    private static final String SECONDS = "--seconds";
    private static final String WARMUP = "--warmup";
    private static final String RATE = "--rate";
    private static final String LOAD = "--load";
    private static final String ROUNDS = "--rounds";
    private static final String GROWTH = "--growth";
    private static final String TABLE = "--table";
    private static final String DATA = "--data";
    private static final String DROP = "--drop";
    private static final String JSON = "--json";
    private static final String SVG = "--svg";

    private static final String ALL = "all";
    private static final String MAX = "max";
    private static final String OWN = "own";
    private static final String BARE = "bare";

    private final PrintStream out;
    private final PrintStream err;

    BenchCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    static CommandSpec spec() {
        CommandSpec bench = CommandSpec.create().name(NAME);
        bench.usageMessage()
                .description("Measures a Table endpoint under load: latency, requests a second and, where the server's"
                        + " process can be seen, what a request costs it.")
                .footer(
                        "",
                        "Workloads: point-read, range-100, partition-scan (a thousand examined, ten returned),"
                                + " table-scan (a page of a thousand), log-tail ($top=10), mixed (nine point reads to one"
                                + " insert), insert, transaction-100, upsert-merge.",
                        "Without --rate, a closed loop first finds what the server can do, and what is measured is an"
                                + " open one at a share of that: requests have their times whatever the server does,"
                                + " and latency counts from then. With --compare or --growth the loop is closed.",
                        "Any error makes a run void. The table is kept, and used again, unless --drop is given.")
                .sortOptions(false);
        credentials(
                bench,
                ENDPOINT,
                "URL|own",
                "Table endpoint, or own: a server started for the run. Default: " + "the development endpoint.");
        option(bench, WORKLOAD, "NAME,...", "What to measure. Default: all.");
        option(bench, ENTITIES, "N", "Entities in the table, a multiple of 1000. Default: 100000.");
        option(bench, CONNECTIONS, "N", "Connections. Default: 64, fewer for workloads with large answers.");
        option(bench, SECONDS, "N", "How long a workload, or each of its rounds, is measured. Default: 5.");
        option(bench, WARMUP, "N", "How long a workload runs before it is measured. Default: 3.");
        option(bench, RATE, "N|max", "Requests a second in an open loop; max for a closed loop.");
        option(bench, LOAD, "SHARE", "Share of a closed loop's rate to measure at. Default: 0.7.");
        credentials(bench, COMPARE, "URL|own|bare", "Another endpoint to take turns with; bare for the bare loop.");
        option(bench, ROUNDS, "N", "Rounds of each when two take turns. Default: 4.");
        option(bench, GROWTH, "N,...", "Sizes of the table to measure one after the other, each on an own server.");
        option(bench, TABLE, "NAME", "Table to work on. Default: bench.");
        option(bench, DATA, "DIR", "Folder for the data of own servers, kept. Default: a temporary one.");
        bench.addOption(OptionSpec.builder(DROP)
                .type(boolean.class)
                .description("Delete the table at the end.")
                .build());
        option(bench, JSON, "FILE", "File for the figures as JSON; - for standard output, and nothing else there.");
        option(bench, SVG, "FILE", "File for a drawing of what growth costs.");
        return bench;
    }

    private static void option(CommandSpec command, String name, String label, String description) {
        command.addOption(OptionSpec.builder(name)
                .type(String.class)
                .arity("1")
                .paramLabel(label)
                .description(description)
                .build());
    }

    private static void credentials(CommandSpec command, String name, String label, String description) {
        option(command, name, label, description);
        String prefix = name.equals(ENDPOINT) ? "--" : name + "-";
        option(command, prefix + "account", "NAME", "Account, where the address does not tell.");
        option(command, prefix + "key", "BASE64", "Key of the account. Default: the development key, on this machine.");
        option(command, prefix + "sas", "QUERY", "Shared access signature, instead of a key or in the address.");
    }

    /** Runs it and returns the exit code. */
    int run(ParseResult given) throws InterruptedException {
        BenchConfig config = config(given);
        try {
            return new Bench(config, out, err).run() ? Main.OK : Main.FAILED;
        } catch (IOException e) {
            err.println(e.getMessage());
            return Main.FAILED;
        }
    }

    static BenchConfig config(ParseResult given) {
        Optional<String> compare = text(given, COMPARE);
        List<Long> growth = text(given, GROWTH)
                .map(list -> split(list).map(size -> entities(GROWTH, size)).toList())
                .orElse(List.of());
        Endpoint.Given endpoint =
                endpoint(given, ENDPOINT, text(given, ENDPOINT).orElse(Endpoint.DEVELOPMENT));
        if (!growth.isEmpty() && (compare.isPresent() || !endpoint.url().equals(OWN))) {
            throw new ConfigException("The option --growth goes with --endpoint own, and not with --compare.");
        }
        if (text(given, SVG).isPresent() && growth.isEmpty()) {
            throw new ConfigException("The option --svg goes with --growth.");
        }
        if (endpoint.url().equals(BARE)) {
            throw new ConfigException("The bare loop is to --compare with; it is no endpoint.");
        }
        Plan plan = new Plan(
                workloads(text(given, WORKLOAD).orElse(ALL)),
                text(given, CONNECTIONS)
                        .map(number -> OptionalInt.of((int) number(CONNECTIONS, number, 1, 10_000)))
                        .orElse(OptionalInt.empty()),
                seconds(given, SECONDS, "5", 0.1),
                seconds(given, WARMUP, "3", 0),
                mode(given, compare.isPresent() || !growth.isEmpty()),
                (int) number(ROUNDS, text(given, ROUNDS).orElse("4"), 1, 1000));
        return new BenchConfig(
                endpoint,
                compare.map(url -> endpoint(given, COMPARE, url)),
                text(given, TABLE).orElse(NAME),
                entities(ENTITIES, text(given, ENTITIES).orElse("100000")),
                plan,
                growth,
                text(given, DATA).map(Path::of),
                given.hasMatchedOption(DROP),
                text(given, JSON),
                text(given, SVG).map(Path::of),
                List.of(Main.class.getName(), Main.SERVE, ServeOption.TABLE_PORT.flag(), "0"));
    }

    private static Endpoint.Given endpoint(ParseResult given, String option, String url) {
        String prefix = option.equals(ENDPOINT) ? "--" : option + "-";
        Endpoint.Given endpoint = new Endpoint.Given(
                url, text(given, prefix + "account"), text(given, prefix + "key"), text(given, prefix + "sas"));
        try {
            if (!url.equals(OWN) && !url.equals(BARE)) {
                Endpoint.of(endpoint);
            }
            return endpoint;
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    private static List<Workload> workloads(String list) {
        if (list.equals(ALL)) {
            return List.of(Workload.values());
        }
        List<String> known = Stream.of(Workload.values()).map(Workload::word).toList();
        return split(list)
                .map(word -> Workload.of(word)
                        .orElseThrow(() -> new ConfigException("There is no workload " + word
                                + "; the nearest known one is " + Nearest.to(word, known) + ".")))
                .toList();
    }

    private static Mode mode(ParseResult given, boolean closedUnlessTold) {
        Optional<String> rate = text(given, RATE);
        Optional<String> share = text(given, LOAD);
        if (share.isPresent() && (rate.isPresent() || closedUnlessTold)) {
            throw new ConfigException("The option --load goes with none of --rate, --compare and --growth.");
        }
        if (rate.isPresent() && !rate.get().equals(MAX)) {
            return new Mode.Open(number(RATE, rate.get(), 0.001, 1e7));
        }
        return rate.isPresent() || closedUnlessTold
                ? new Mode.Closed()
                : new Mode.Share(number(LOAD, share.orElse("0.7"), 0.01, 10));
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
