package dev.trestle.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server that serves a little of everything, in memory, and ends. The build runs it once so that Java can note which
 * classes that takes, and servers that are given the note start in little more than half the time.
 */
final class CdsTrainingRun {
    private static final Pattern ENDPOINT = Pattern.compile("Table endpoint\\s+(http://\\S+)");
    private static final int STEP_MILLIS = 20;

    private CdsTrainingRun() {}

    public static void main(String[] arguments) throws InterruptedException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Thread server = new Thread(() -> serve(new PrintStream(printed, true, StandardCharsets.UTF_8)), "server");
        server.setDaemon(true);
        server.start();
        while (server.isAlive() && !printed.toString(StandardCharsets.UTF_8).contains("Ready in")) {
            Thread.sleep(STEP_MILLIS);
        }
        Matcher endpoint = ENDPOINT.matcher(printed.toString(StandardCharsets.UTF_8));
        System.exit(endpoint.find() ? ask(endpoint.group(1)) : Main.FAILED);
    }

    private static void serve(PrintStream out) {
        ServerProcess process = new ServerProcess(out, System.nanoTime());
        new Main(Map.of(), out, System.err, process::run)
                .run("serve", "--in-memory", "--table-port=0", "--queue-port=0", "--blob-port=0", "--admin-port=0");
    }

    private static int ask(String endpoint) {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return new Main(Map.of(), nowhere, System.err, config -> {})
                .run(
                        "bench",
                        "--endpoint=" + endpoint,
                        "--workload=point-read,range-100,insert,upsert-merge,transaction-100",
                        "--entities=1000",
                        "--connections=2",
                        "--seconds=0.1",
                        "--warmup=0");
    }
}
