package dev.trestle.cli;

import dev.trestle.benchmarks.Bench;
import dev.trestle.benchmarks.BenchConfig;
import java.io.IOException;
import java.io.PrintStream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code trestle bench}: its options. Nothing of the load driver is loaded before the command is run, so that serving
 * does not start later for it.
 */
final class BenchCommand {
    static final String NAME = "bench";

    static final String ENDPOINT = "--endpoint";
    static final String COMPARE = "--compare";
    static final String WORKLOAD = "--workload";
    static final String ENTITIES = "--entities";
    static final String WORKING_SET = "--working-set";
    static final String CONNECTIONS = "--connections";
    static final String SECONDS = "--seconds";
    static final String WARMUP = "--warmup";
    static final String RATE = "--rate";
    static final String LOAD = "--load";
    static final String ROUNDS = "--rounds";
    static final String GROWTH = "--growth";
    static final String TABLE = "--table";
    static final String QUEUE_ENDPOINT = "--queue-endpoint";
    static final String MESSAGES = "--messages";
    static final String BLOB_ENDPOINT = "--blob-endpoint";
    static final String BLOBS = "--blobs";
    static final String STREAM = "--stream";
    static final String DATA = "--data";
    static final String DROP = "--drop";
    static final String JSON = "--json";
    static final String SVG = "--svg";

    private final PrintStream out;
    private final PrintStream err;

    BenchCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    static CommandSpec spec() {
        CommandSpec bench = CommandSpec.create().name(NAME);
        bench.usageMessage()
                .description(
                        "Measures a Table endpoint, or a Queue or Blob endpoint, under load: latency, requests a second and, where the server's"
                                + " process can be seen, what a request costs it.")
                .footer(
                        "",
                        "Workloads: point-read, range-100, partition-scan (a thousand examined, ten returned),"
                                + " table-scan (a page of a thousand), log-tail ($top=10), mixed (nine point reads to one"
                                + " insert), insert, transaction-100, entity-cycle (insert, read and delete), upsert-merge,"
                                + " entity-renew (read, delete and insert one that was loaded);"
                                + " and of queues, when asked for: message-put, message-cycle (put, get and delete),"
                                + " message-batch (the same with 32 messages to a get); and of blobs: blob-get and blob-put"
                                + " (4 KiB), blob-list (a page of a thousand).",
                        "Without --rate, a closed loop first finds what the server can do, and what is measured is an"
                                + " open one at a share of that: requests have their times whatever the server does,"
                                + " and latency counts from then. With --compare or --growth the loop is closed.",
                        "Any error makes a run void. The table or container is kept, and used again, unless --drop is given.")
                .sortOptions(false);
        credentials(
                bench,
                ENDPOINT,
                "URL|own",
                "Table endpoint, or own: a server started for the run. Default: the development endpoint.");
        option(bench, WORKLOAD, "NAME,...", "What to measure. Default: all that tables have.");
        option(bench, ENTITIES, "N", "Entities in the table, a multiple of 1000. Default: 100000.");
        option(
                bench,
                WORKING_SET,
                "N",
                "How many of them are asked for, in partitions across the table. Default: all.");
        option(bench, CONNECTIONS, "N", "Connections. Default: 64, fewer for workloads with large answers.");
        option(bench, SECONDS, "N", "How long a workload, or each of its rounds, is measured. Default: 5.");
        option(
                bench,
                WARMUP,
                "N",
                "How long each workload runs without counting, before all and again before its turn. Default: 3.");
        option(bench, RATE, "N|max", "Requests a second in an open loop; max for a closed loop.");
        option(bench, LOAD, "SHARE", "Share of a closed loop's rate to measure at. Default: 0.7.");
        credentials(bench, COMPARE, "URL|own|bare", "Another endpoint to take turns with; bare for the bare loop.");
        option(bench, ROUNDS, "N", "Rounds of each when two take turns. Default: 4.");
        option(bench, GROWTH, "N,...", "Sizes of the table to measure one after the other, each on an own server.");
        option(bench, TABLE, "NAME", "Table to work on, and queue and container in small letters. Default: bench.");
        option(
                bench,
                QUEUE_ENDPOINT,
                "URL",
                "Queue endpoint of the same server, with the same account. Default: that of an own or development server.");
        option(bench, MESSAGES, "N", "Messages in the queue, which is emptied before. Default: 0.");
        option(
                bench,
                BLOB_ENDPOINT,
                "URL",
                "Blob endpoint, with the same account. Default: that of an own or development server.");
        option(bench, BLOBS, "N", "Blobs in the container, a multiple of 1000. Default: 10000.");
        option(
                bench,
                STREAM,
                "SIZE",
                "Measure a blob of this size, as 1g, on its way in and out instead, in turns with copies of a file and with"
                        + " nginx, if there is one.");
        option(bench, DATA, "DIR", "Folder for the data of own servers, kept. Default: a temporary one.");
        bench.addOption(OptionSpec.builder(DROP)
                .type(boolean.class)
                .description("Delete the table, queue and container at the end.")
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
        String prefix = prefix(name);
        option(command, prefix + "account", "NAME", "Account, where the address does not tell.");
        option(command, prefix + "key", "BASE64", "Key of the account. Default: the development key, on this machine.");
        option(command, prefix + "sas", "QUERY", "Shared access signature, instead of a key or in the address.");
    }

    /** What the options begin with that say by what right an endpoint is used. */
    static String prefix(String endpointOption) {
        return endpointOption.equals(ENDPOINT) ? "--" : endpointOption + "-";
    }

    /** Runs it and returns the exit code. */
    int run(ParseResult given) throws InterruptedException {
        BenchConfig config = BenchConfigReader.read(given);
        try {
            return new Bench(config, out, err).run() ? Main.OK : Main.FAILED;
        } catch (IOException e) {
            err.println(e.getMessage());
            return Main.FAILED;
        }
    }
}
