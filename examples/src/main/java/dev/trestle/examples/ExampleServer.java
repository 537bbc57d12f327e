package dev.trestle.examples;

import dev.trestle.launcher.ServerJar;
import dev.trestle.launcher.ServerProcess;
import java.nio.file.Path;
import java.util.List;

/** Starts a Trestle server in memory, on free ports, for the examples. */
final class ExampleServer {
    private ExampleServer() {}

    /** Starts the server of the jar and returns when it is ready. */
    static ServerProcess start(Path jar) {
        return ServerProcess.command(ServerJar.command(
                        jar,
                        List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                        List.of("serve", "--in-memory", "--table-port", "0")))
                .start();
    }
}
