package dev.trestle.sandbox;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts Java processes with the jars that Maven copied beside this class, and with the Java of this process. */
final class JavaCommand {
    private static final List<String> OPENED = List.of(
            "java.base/java.io",
            "java.base/java.lang",
            "java.base/java.lang.reflect",
            "java.base/java.net",
            "java.base/java.nio",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.base/jdk.internal.misc",
            "java.base/jdk.internal.ref",
            "java.base/sun.nio.ch");

    private final Path folder;
    private final Path settings;

    /**
     * @param folder where the processes run, so that whatever they drop is found there
     * @param settings the folder that is first on their class path; Kerberos reads its {@code krb5.conf}, where there is
     *     one
     */
    JavaCommand(Path folder, Path settings) {
        this.folder = folder;
        this.settings = settings;
    }

    /** Starts a process that outlives this one and appends its output to the log. */
    Process begin(List<String> javaOptions, String mainClass, List<String> arguments, Path log) {
        List<String> command = new ArrayList<>(ownSession());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(commonOptions());
        command.addAll(javaOptions);
        command.add(mainClass);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectErrorStream(true);
        // Not an option, to leave the command short enough to be read in a list of processes.
        builder.environment().put("CLASSPATH", classPath());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Detaches the process from the terminal, with the first tool that the system has. */
    private static List<String> ownSession() {
        return Stream.of("setsid", "nohup")
                .filter(tool -> Stream.of(
                                System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, tool))))
                .limit(1)
                .toList();
    }

    private List<String> commonOptions() {
        List<String> options = new ArrayList<>(
                List.of("-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "-Djava.net.preferIPv4Stack=true"));
        OPENED.forEach(opened -> options.add("--add-opens=" + opened + "=ALL-UNNAMED"));
        Path kerberos = settings.resolve("krb5.conf");
        if (Files.exists(kerberos)) {
            options.add("-Djava.security.krb5.conf=" + kerberos);
        }
        int java = Runtime.version().feature();
        if (java >= 22) {
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        if (java >= 23) {
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        return options;
    }

    private String classPath() {
        try {
            Path own = Path.of(JavaCommand.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path names = own.resolveSibling("lib/class-path");
            if (!Files.exists(names)) {
                throw new SandboxException("The jars of HBase are not in " + names.getParent()
                        + "; bring them there with mvn -pl sandbox package.");
            }
            Stream<Path> jars =
                    Stream.of(Files.readString(names).strip().split(":")).map(own::resolveSibling);
            return Stream.concat(Stream.of(settings, own), jars)
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
