package dev.trestle.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line that runs the jar of the server with the Java of this process. */
public final class ServerJar {
    private ServerJar() {}

    /** Returns the command line, with the AppCDS archive beside the jar if there is one. */
    public static List<String> command(Path jar, List<String> javaOptions, List<String> arguments) {
        Path file = jar.toAbsolutePath().normalize();
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("The server is not built: " + file);
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        Path archive = file.resolveSibling("trestle.jsa");
        if (Files.exists(archive)) {
            command.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
        }
        if (Runtime.version().feature() >= 23) {
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        }
        command.addAll(List.of("-jar", file.toString()));
        command.addAll(arguments);
        return command;
    }
}
