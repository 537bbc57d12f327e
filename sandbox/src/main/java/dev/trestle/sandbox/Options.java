package dev.trestle.sandbox;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The options of the command line. */
record Options(Action action, Path data, OptionalInt servers, boolean oneJvm) {
    static final String DATA_DEFAULT = "hbase-sandbox-data";

    private static final int SEPARATE_SERVERS_DEFAULT = 3;
    private static final int ONE_JVM_SERVERS_DEFAULT = 1;

    enum Action {
        START,
        STOP,
        STATUS
    }

    static Options parse(String... arguments) {
        Action action = switch (arguments[0]) {
            case "start" -> Action.START;
            case "stop" -> Action.STOP;
            case "status" -> Action.STATUS;
            default -> throw new SandboxException("The first argument is start, stop or status.");
        };
        Path data = Path.of(DATA_DEFAULT);
        OptionalInt servers = OptionalInt.empty();
        boolean oneJvm = false;
        Iterator<String> rest = List.of(arguments).listIterator(1);
        while (rest.hasNext()) {
            String[] option = rest.next().split("=", 2);
            switch (option[0]) {
                case "--data" -> data = Path.of(value(option, rest));
                case "--servers" -> servers = OptionalInt.of(number(value(option, rest)));
                case "--one-jvm" -> oneJvm = true;
                default ->
                    throw new SandboxException(
                            "The option " + option[0] + " is unknown; see trestle hbase-sandbox --help.");
            }
        }
        if (action != Action.START && (servers.isPresent() || oneJvm)) {
            throw new SandboxException("The options --servers and --one-jvm are for start alone.");
        }
        return new Options(action, data, servers, oneJvm);
    }

    private static String value(String[] option, Iterator<String> rest) {
        if (option.length == 2) {
            return option[1];
        }
        if (!rest.hasNext()) {
            throw new SandboxException("The option " + option[0] + " needs a value.");
        }
        return rest.next();
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new SandboxException("The option --servers needs a number, not " + text + ".");
        }
    }

    /** The sandbox that is asked for; one that exists stays as it is in all that is not. */
    Sandbox open() {
        Optional<Sandbox> existing = Sandbox.existing(data);
        boolean one = oneJvm || existing.map(Sandbox::inOneJvm).orElse(false);
        int wanted = servers.orElseGet(
                () -> existing.map(Sandbox::servers).orElse(one ? ONE_JVM_SERVERS_DEFAULT : SEPARATE_SERVERS_DEFAULT));
        return one ? Sandbox.oneJvm(data, wanted) : Sandbox.separate(data, wanted);
    }
}
