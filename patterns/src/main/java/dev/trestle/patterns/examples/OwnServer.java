package dev.trestle.patterns.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Trestle server of one's own: a process on free ports that keeps everything in memory and ends with this one. */
final class OwnServer implements AutoCloseable {
    private static final String ACCOUNT = "devstoreaccount1";

    /** The key of the development account, the same in every emulator and SDK. */
    private static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static final Pattern ENDPOINT = Pattern.compile("\\s+(\\w+) endpoint\\s+(http://\\S+)\\s*");

    private final Process process;
    private final String connectionString;

    private OwnServer(Process process, String connectionString) {
        this.process = process;
        this.connectionString = connectionString;
    }

    /** Starts the server of a jar; returns when it is ready. */
    static OwnServer start(Path jar) throws IOException {
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
        // What is set for the user's own servers is not meant for this one.
        builder.environment().keySet().removeIf(name -> name.startsWith("TRESTLE_") || name.equals("AZURITE_ACCOUNTS"));
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        try {
            return new OwnServer(process, connectionString(process));
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static String connectionString(Process process) throws IOException {
        Map<String, String> endpoints = new HashMap<>();
        StringBuilder printed = new StringBuilder();
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            printed.append(line).append('\n');
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
        throw new IOException("The server did not start:\n" + printed);
    }

    /** Reads what else it prints, lest it wait for somebody to. */
    private static void drain(BufferedReader lines) {
        Thread reader = new Thread(() -> lines.lines().forEach(line -> {}), "output of the server");
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
