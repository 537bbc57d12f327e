package dev.trestle.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A child process that runs a Trestle server in memory on free ports, and is killed on close or when this process exits. */
final class ServerProcess implements AutoCloseable {
    private static final String ACCOUNT = "devstoreaccount1";

    /** The key of the development account, the same in every emulator and SDK. */
    private static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static final Pattern ENDPOINT = Pattern.compile("\\s+(\\w+) endpoint\\s+(http://\\S+)\\s*");

    private final Process process;
    private final String connectionString;

    private ServerProcess(Process process, String connectionString) {
        this.process = process;
        this.connectionString = connectionString;
    }

    /** Starts the server of the jar and returns when it is ready. */
    static ServerProcess start(Path jar) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        jar.toString(),
                        "serve",
                        "--in-memory",
                        "--table-port",
                        "0"))
                .redirectErrorStream(true);
        // These variables configure the user's own servers.
        builder.environment().keySet().removeIf(name -> name.startsWith("TRESTLE_") || name.equals("AZURITE_ACCOUNTS"));
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        try {
            return new ServerProcess(process, connectionString(process));
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static String connectionString(Process process) throws IOException {
        Map<String, String> endpoints = new HashMap<>();
        StringBuilder output = new StringBuilder();
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            output.append(line).append('\n');
            Matcher matcher = ENDPOINT.matcher(line);
            if (matcher.matches()) {
                endpoints.put(matcher.group(1), matcher.group(2));
            }
            if (line.startsWith("Ready in ")) {
                drain(lines);
                return "DefaultEndpointsProtocol=http;AccountName=" + ACCOUNT + ";AccountKey=" + KEY
                        + ";TableEndpoint=" + endpoints.get("Table") + ";QueueEndpoint=" + endpoints.get("Queue")
                        + ";BlobEndpoint=" + endpoints.get("Blob") + ";";
            }
        }
        throw new IOException("The server did not start. Its output:\n" + output);
    }

    /** Discards further output: the server would block on a full pipe. */
    private static void drain(BufferedReader lines) {
        Thread reader = new Thread(() -> lines.lines().forEach(line -> {}), "server-output");
        reader.setDaemon(true);
        reader.start();
    }

    String connectionString() {
        return connectionString;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
