package dev.trestle.benchmarks;

import dev.trestle.benchmarks.load.Endpoint;
import dev.trestle.benchmarks.load.Mode;
import dev.trestle.benchmarks.load.Plan;
import dev.trestle.benchmarks.load.Workload;
import dev.trestle.commandline.SizeConverter;
import dev.trestle.commandline.UsageErrors;
import dev.trestle.commandline.Version;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code trestle bench} command. */
@Command(
        name = "bench",
        description =
                "Measures a Table, Queue or Blob endpoint under load: latency, requests a second and, if the server"
                        + " runs on this machine, CPU time per request.",
        footer = {
            "",
            "Workloads of tables: point-read, range-100, partition-scan (examines 1000 entities, returns 10), table-scan"
                    + " (a page of 1000), log-tail ($top=10), mixed (9 point reads per insert), insert, transaction-100,"
                    + " entity-cycle (insert, read, delete), upsert-merge, entity-renew (read, delete and insert a loaded"
                    + " entity).",
            "Workloads of queues, only if named: message-put, message-cycle (put, get, delete), message-batch (the same"
                    + " with 32 messages per get).",
            "Workloads of blobs, only if named: blob-get and blob-put (4 KiB), blob-list (a page of 1000).",
            "",
            "Without --rate, a closed loop first measures the maximum rate. The measurement then is an open loop at a"
                    + " share of it: requests are scheduled whatever the server does, and latency counts from the"
                    + " scheduled time. With --compare or --growth the loop is closed.",
            "Any error voids the run. The table or container is kept for the next run unless --drop is given."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class BenchCommand implements Callable<Integer> {
    private static final String ALL = "all";
    private static final double SHARE = 0.7;
    private static final Pattern TABLE = Pattern.compile("[A-Za-z][A-Za-z0-9]{2,62}");

    private final PrintStream out;
    private final PrintStream err;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--endpoint",
            paramLabel = "URL|own",
            defaultValue = Endpoint.DEVELOPMENT,
            description = "Table endpoint, or own: a server started for the run. Default: the development endpoint.")
    private String endpoint;

    @Option(names = "--account", paramLabel = "NAME", description = "Account, if the URL does not contain it.")
    private Optional<String> account;

    @Option(
            names = "--key",
            paramLabel = "BASE64",
            description = "Key of the account. Default: the development key, on this machine.")
    private Optional<String> key;

    @Option(
            names = "--sas",
            paramLabel = "QUERY",
            description = "Shared access signature, instead of a key or in the URL.")
    private Optional<String> sas;

    @Option(
            names = "--workload",
            paramLabel = "NAME,...",
            defaultValue = ALL,
            description = "Workloads to measure. Default: all of tables.")
    private String workloads;

    @Option(
            names = "--entities",
            paramLabel = "N",
            defaultValue = "100000",
            converter = BenchValues.Entities.class,
            description = "Entities in the table, a multiple of 1000. Default: ${DEFAULT-VALUE}.")
    private long entities;

    @Option(
            names = "--working-set",
            paramLabel = "N",
            converter = BenchValues.Entities.class,
            description = "Entities that are read, in partitions spread over the table. Default: all.")
    private Optional<Long> workingSet;

    @Option(
            names = "--connections",
            paramLabel = "N",
            converter = BenchValues.Connections.class,
            description = "Connections. Default: 64, fewer for workloads with large responses.")
    private Optional<Integer> connections;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "5",
            converter = BenchValues.Seconds.class,
            description = "Duration of each measurement, or of each of its rounds. Default: ${DEFAULT-VALUE}.")
    private Duration duration;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            defaultValue = "3",
            converter = BenchValues.WarmUp.class,
            description = "Warm-up in seconds, before all workloads and again before each. Default: ${DEFAULT-VALUE}.")
    private Duration warmUp;

    @Option(
            names = "--rate",
            paramLabel = "N|max",
            converter = BenchValues.Rate.class,
            description = "Requests a second in an open loop; max for a closed loop.")
    private Optional<Mode> rate;

    @Option(
            names = "--load",
            paramLabel = "SHARE",
            converter = BenchValues.Share.class,
            description = "Share of the maximum rate to measure at. Default: " + SHARE + ".")
    private Optional<Double> share;

    @Option(
            names = "--compare",
            paramLabel = "URL|own|bare",
            description = "Another endpoint, measured in turns with the first; bare for the bare loop.")
    private Optional<String> compare;

    @Option(names = "--compare-account", paramLabel = "NAME", description = "Its account, as --account.")
    private Optional<String> compareAccount;

    @Option(names = "--compare-key", paramLabel = "BASE64", description = "Its key, as --key.")
    private Optional<String> compareKey;

    @Option(names = "--compare-sas", paramLabel = "QUERY", description = "Its shared access signature, as --sas.")
    private Optional<String> compareSas;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "4",
            converter = BenchValues.Rounds.class,
            description = "Rounds per server in a comparison. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--growth",
            paramLabel = "N,...",
            split = ",",
            converter = BenchValues.Entities.class,
            description =
                    "Table sizes to measure one after the other, each on a new server. All entities are read alike.")
    private List<Long> growth = List.of();

    @Option(
            names = "--table",
            paramLabel = "NAME",
            defaultValue = "bench",
            description = "Table to use; in lower case also the queue and the container. Default: ${DEFAULT-VALUE}.")
    private String table;

    @Option(
            names = "--queue-endpoint",
            paramLabel = "URL",
            description =
                    "Queue endpoint of the same server and account. Default: that of the own or development server.")
    private Optional<String> queueEndpoint;

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "0",
            converter = BenchValues.Messages.class,
            description = "Messages in the queue, which is cleared first. Default: ${DEFAULT-VALUE}.")
    private long messages;

    @Option(
            names = "--blob-endpoint",
            paramLabel = "URL",
            description =
                    "Blob endpoint of the same server and account. Default: that of the own or development server.")
    private Optional<String> blobEndpoint;

    @Option(
            names = "--blobs",
            paramLabel = "N",
            defaultValue = "10000",
            converter = BenchValues.Entities.class,
            description = "Blobs in the container, a multiple of 1000. Default: ${DEFAULT-VALUE}.")
    private long blobs;

    @Option(
            names = "--stream",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "Measure upload and download of one blob of this size, such as 1g, instead; in turns with a file"
                            + " copy and with nginx, if installed.")
    private Optional<Long> stream;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder for the data of own servers; it is kept. Default: a temporary folder.")
    private Optional<Path> data;

    @Option(names = "--drop", description = "Delete the table, queue and container at the end.")
    private boolean drop;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "File for the figures as JSON; - for standard output, without the text report.")
    private Optional<String> json;

    private final List<String> serve;

    /** @param serve the command that starts a server on any free port, less {@code --data} */
    BenchCommand(PrintStream out, PrintStream err, List<String> serve) {
        this.out = out;
        this.err = err;
        this.serve = List.copyOf(serve);
    }

    /** Run by the launcher script, which names itself in the system property {@code trestle.launcher}. */
    public static void main(String[] arguments) {
        String launcher = System.getProperty("trestle.launcher", "trestle");
        BenchCommand bench = new BenchCommand(System.out, System.err, List.of(launcher, "serve", "--table-port", "0"));
        System.exit(bench.commandLine().execute(arguments));
    }

    CommandLine commandLine() {
        CommandSpec trestle = CommandSpec.create().name("trestle");
        CommandLine bench = new CommandLine(this);
        trestle.addSubcommand("bench", bench);
        return bench.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setUsageHelpLongOptionsMaxWidth(30)
                .setParameterExceptionHandler(new UsageErrors());
    }

    @Override
    public Integer call() throws InterruptedException {
        BenchConfig config = config();
        try {
            return new Bench(config, out, err).run() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        } catch (IOException e) {
            err.println(e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    BenchConfig config() {
        Endpoint.Given first = checked(new Endpoint.Given(endpoint, account, key, sas));
        checkEndpoints(first);
        Plan plan = new Plan(
                workloads(),
                connections.map(OptionalInt::of).orElse(OptionalInt.empty()),
                duration,
                warmUp,
                mode(),
                rounds);
        checkBlobs(plan);
        return new BenchConfig(
                first,
                compare.map(url -> checked(new Endpoint.Given(url, compareAccount, compareKey, compareSas))),
                endpointBeside(
                        first,
                        plan.workloads().stream().anyMatch(Workload::isOfQueues),
                        queueEndpoint,
                        "queues need --queue-endpoint",
                        Endpoint.DEVELOPMENT_QUEUES),
                messages,
                endpointBeside(
                        first,
                        stream.isPresent() || plan.workloads().stream().anyMatch(Workload::isOfBlobs),
                        blobEndpoint,
                        "blobs need --blob-endpoint",
                        Endpoint.DEVELOPMENT_BLOBS),
                blobs,
                stream.map(OptionalLong::of).orElse(OptionalLong.empty()),
                table(),
                entities,
                workingSet.orElse(Long.MAX_VALUE),
                plan,
                growth,
                data,
                drop,
                json,
                serve);
    }

    private List<Workload> workloads() {
        return workloads.equals(ALL)
                ? Workload.ofTables()
                : Stream.of(workloads.split(",", -1))
                        .map(String::strip)
                        .map(this::workload)
                        .toList();
    }

    private Workload workload(String word) {
        List<String> known = Stream.of(Workload.values()).map(Workload::word).toList();
        return Workload.of(word)
                .orElseThrow(() -> wrong("There is no workload " + word + "; "
                        + UsageErrors.nearest(word, known)
                                .map(name -> "the nearest known one is " + name)
                                .orElse("see trestle bench --help")
                        + "."));
    }

    private String table() {
        if (!TABLE.matcher(table).matches()) {
            throw wrong("A table's name is 3 to 63 letters and digits, the first a letter.");
        }
        return table;
    }

    private void checkEndpoints(Endpoint.Given first) {
        if (!growth.isEmpty() && (compare.isPresent() || !first.url().equals(BenchConfig.OWN))) {
            throw wrong("The option --growth goes with --endpoint own, and not with --compare.");
        }
        if (workingSet.isPresent() && !growth.isEmpty()) {
            throw wrong("The option --growth reads all entities; it goes without --working-set.");
        }
        if (first.url().equals(BenchConfig.BARE)) {
            throw wrong("The bare loop is to --compare with; it is no endpoint.");
        }
    }

    private void checkBlobs(Plan plan) {
        if (!growth.isEmpty() && plan.workloads().stream().allMatch(Workload::isOfBlobs)) {
            throw wrong("The option --growth is about tables; for blobs, run with one --blobs after another.");
        }
        boolean elsewhere = compare.filter(url -> !isStartedHere(url)).isPresent();
        if (elsewhere && plan.workloads().stream().anyMatch(Workload::isOfBlobs)) {
            throw wrong("The workloads of blobs are compared with --compare own only.");
        }
    }

    private Mode mode() {
        boolean closed = compare.isPresent() || !growth.isEmpty();
        if (share.isPresent() && (rate.isPresent() || closed)) {
            throw wrong("The option --load goes with none of --rate, --compare and --growth.");
        }
        return rate.orElseGet(() -> closed ? new Mode.Closed() : new Mode.Share(share.orElse(SHARE)));
    }

    private Endpoint.Given checked(Endpoint.Given given) {
        try {
            if (!isStartedHere(given.url())) {
                Endpoint.of(given);
            }
            return given;
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the endpoint of another service, with the account and the key of the Table endpoint. */
    private Optional<Endpoint.Given> endpointBeside(
            Endpoint.Given tables, boolean wanted, Optional<String> given, String need, String development) {
        if (!wanted || tables.url().equals(BenchConfig.OWN)) {
            return Optional.empty();
        }
        if (given.isEmpty() && !tables.url().equals(Endpoint.DEVELOPMENT)) {
            throw wrong("The workloads of " + need + " beside --endpoint.");
        }
        return Optional.of(checked(new Endpoint.Given(given.orElse(development), account, key, sas)));
    }

    private static boolean isStartedHere(String url) {
        return Stream.of(BenchConfig.OWN, BenchConfig.BARE).anyMatch(url::equals);
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
