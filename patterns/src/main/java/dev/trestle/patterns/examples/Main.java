package dev.trestle.patterns.examples;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Runs examples and prints a line for each: {@code [NAME...] [--endpoint CONNECTION_STRING]}. Without an endpoint it starts the
 * server whose jar the system property trestle.jar names. Exit status: 1 if a promise was not held, 2 for a wrong command line.
 */
public final class Main {
    private static final String USAGE = """
            Usage: trestle examples [NAME...] [--endpoint CONNECTION_STRING]

            Plays the design guide's own scenario of each pattern, or of those named, and prints what it cost and
            whether its promise held. Everything it makes has names of its own and is deleted afterwards.

              --endpoint   the service to play on: of Azure, an emulator or a Trestle server, with tables, queues and
                           blobs. Default: a server of its own.

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
                err.println("There is no example or option " + word + "; the examples are " + String.join(", ", names())
                        + ".");
                return 2;
            }
        }
        List<Example> chosen = examples.stream()
                .filter(example -> wanted.isEmpty() || wanted.contains(example.name()))
                .toList();
        if (endpoint.isPresent()) {
            return play(chosen, endpoint.get());
        }
        try (OwnServer server = OwnServer.start(Path.of(System.getProperty("trestle.jar", "trestle.jar")))) {
            return play(chosen, server.connectionString());
        }
    }

    private int play(List<Example> chosen, String connectionString) {
        out.printf("%-24s %11s %13s %8s  %s%n", "pattern", "round trips", "rows examined", "promise", "of");
        boolean allHeld = true;
        for (Example example : chosen) {
            allHeld &= play(example, connectionString);
        }
        return allHeld ? 0 : 1;
    }

    private boolean play(Example example, String connectionString) {
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

    /** With whatever document the service sent, since that is where its reason is. */
    private static String inOneLine(RuntimeException e) {
        return e.getMessage() == null
                ? e.getClass().getSimpleName()
                : e.getMessage().replaceAll("\\s+", " ");
    }
}
