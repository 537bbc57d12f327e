package dev.trestle.sandbox;

import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;

/** The {@code trestle hbase-sandbox} command. */
public final class Main {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int BAD_USAGE = 2;

    private static final String HELP = """
            Usage: trestle hbase-sandbox start|stop|status [options]
            Runs a real HBase cluster on this machine, for trying and for tests; it stays until it is stopped.

              start          starts what does not run; the last line printed is the quorum, for clients
              stop           stops all; the data stay
              status         shows the processes; the exit code is 0 only when all run

              --servers N    number of region servers; default: 3, or 1 with --one-jvm
              --data DIR     folder for data, logs and process ids; default: %s
              --one-jvm      ZooKeeper, master and region servers in one process, on local files instead of HDFS
            """.formatted(Options.DATA_DEFAULT);

    private final PrintStream out;
    private final PrintStream err;

    Main(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public static void main(String[] arguments) {
        System.exit(new Main(System.out, System.err).run(arguments));
    }

    /** Runs the command and returns its exit code. */
    int run(String... arguments) {
        if (arguments.length == 0
                || List.of(arguments).contains("--help")
                || List.of(arguments).contains("-h")) {
            out.print(HELP);
            return arguments.length == 0 ? BAD_USAGE : OK;
        }
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (SandboxException e) {
            err.println(e.getMessage());
            return BAD_USAGE;
        }
        try {
            return switch (options.action()) {
                case START -> start(options);
                case STOP -> stop(existing(options));
                case STATUS -> status(existing(options));
            };
        } catch (SandboxException e) {
            err.println(e.getMessage());
            return FAILED;
        } catch (UncheckedIOException e) {
            err.println("The folder " + options.data() + " cannot be used: " + e.getCause());
            return FAILED;
        }
    }

    private int start(Options options) {
        Sandbox sandbox = options.open();
        sandbox.start(out::println);
        out.println(sandbox.quorum());
        return OK;
    }

    private int stop(Sandbox sandbox) {
        long running =
                sandbox.processes().stream().filter(SandboxProcess::running).count();
        out.println(running == 0 ? "Nothing runs." : "Stopping, processes: " + running + " ...");
        sandbox.stop();
        return OK;
    }

    private int status(Sandbox sandbox) {
        List<SandboxProcess> processes = sandbox.processes();
        out.print(StatusTable.of(processes));
        return processes.stream().allMatch(SandboxProcess::running) ? OK : FAILED;
    }

    private static Sandbox existing(Options options) {
        return Sandbox.existing(options.data())
                .orElseThrow(() -> new SandboxException("There is no sandbox in " + options.data()
                        + "; give its folder with --data, or start one with trestle hbase-sandbox start."));
    }
}
