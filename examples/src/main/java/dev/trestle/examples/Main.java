package dev.trestle.examples;

import dev.trestle.launcher.ServerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The command {@code trestle examples [NAME...] [--endpoint CONNECTION_STRING]}: runs examples and prints a line for each. Without
 * an endpoint it starts a server from the jar named by the system property {@code trestle.jar}. Exit status: 0 if all promises
 * held, 1 if one did not, 2 for an invalid command line.
 */
public final class Main {
    private static final String USAGE = """
            Usage: trestle examples [NAME...] [--endpoint CONNECTION_STRING]

            Runs the scenario of each table design pattern, or of those named, and prints its cost and whether its
            promise held. All resources have unique names and are deleted afterwards.

              --endpoint   connection string of the service to run against: Azure, an emulator or a Trestle server,
                           with tables, queues and blobs. Default: start a server in memory on free ports.

            Patterns:\s""";

    private final PrintStream out;
    private final PrintStream err;

    private final List<Example> examples;

    Main(PrintStream out, PrintStream err, List<Example> examples) {
        this.out = out;
        this.err = err;
        this.examples = List.copyOf(examples);
    }

    private List<String> names() {
        return examples.stream().map(Example::name).toList();
    }

    public static void main(String[] arguments) throws IOException {
        int status = new Main(System.out, System.err, Examples.all()).run(arguments);
        System.exit(status);
    }

    int run(String... arguments) throws IOException {
        List<String> wanted = new ArrayList<>();
        Optional<String> endpoint = Optional.empty();
        Iterator<String> words = Arrays.asList(arguments).iterator();
        while (words.hasNext()) {
            String word = words.next();
            if (word.equals("--help") || word.equals("-h")) {
                out.println(USAGE + String.join(", ", names()));
                return 0;
            } else if (word.startsWith("--endpoint=")) {
                endpoint = Optional.of(word.substring("--endpoint=".length()));
            } else if (word.equals("--endpoint") && words.hasNext()) {
                endpoint = Optional.of(words.next());
            } else if (names().contains(word)) {
                wanted.add(word);
            } else {
                err.println(
                        "Unknown example or option " + word + "; the examples are " + String.join(", ", names()) + ".");
                return 2;
            }
        }
        List<Example> chosen = examples.stream()
                .filter(example -> wanted.isEmpty() || wanted.contains(example.name()))
                .toList();
        if (endpoint.isPresent()) {
            return runAll(chosen, endpoint.get());
        }
        try (ServerProcess server = ExampleServer.start(Path.of(System.getProperty("trestle.jar", "trestle.jar")))) {
            return runAll(chosen, server.connectionString());
        }
    }

    private int runAll(List<Example> chosen, String connectionString) {
        out.printf("%-24s %11s %13s %8s  %s%n", "pattern", "round trips", "rows examined", "promise", "operation");
        boolean allHeld = true;
        for (Example example : chosen) {
            allHeld &= runOne(example, connectionString);
        }
        return allHeld ? 0 : 1;
    }

    private boolean runOne(Example example, String connectionString) {
        try (ExampleContext context = new ExampleContext(connectionString)) {
            ExampleResult result = example.run(context);
            out.printf(
                    "%-24s %11d %13s %8s  %s%n",
                    example.name(),
                    result.roundTrips(),
                    result.rowsExamined().isPresent()
                            ? Long.toString(result.rowsExamined().getAsLong())
                            : "-",
                    result.promiseHeld() ? "held" : "NOT HELD",
                    result.measured());
            return result.promiseHeld();
        } catch (RuntimeException e) {
            out.printf("%-24s %11s %13s %8s  %s%n", example.name(), "-", "-", "NOT HELD", inOneLine(e));
            return false;
        }
    }

    /** Returns the message on one line, including the error document of the service, which has the reason. */
    private static String inOneLine(RuntimeException e) {
        return e.getMessage() == null
                ? e.getClass().getSimpleName()
                : e.getMessage().replaceAll("\\s+", " ");
    }
}
