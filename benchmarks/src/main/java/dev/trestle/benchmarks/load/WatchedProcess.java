package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** CPU time and memory of a process of this machine, from {@code /proc}. */
public final class WatchedProcess {
    private static final Path PROC = Path.of("/proc");
    private static final String LISTENING = "0A";

    /** The kernel reports CPU time in hundredths of a second. */
    private static final long TICK_MICROS = 10_000;

    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path files;

    private WatchedProcess(Path files) {
        this.files = files;
    }

    /** Returns the process that listens on the address, if it is on this machine and readable. */
    public static Optional<WatchedProcess> at(Address address) {
        if (!Files.isDirectory(PROC) || !address.isHere()) {
            return Optional.empty();
        }
        try {
            Set<String> sockets = new HashSet<>();
            for (String table : List.of("net/tcp", "net/tcp6")) {
                if (Files.isReadable(PROC.resolve(table))) {
                    sockets.addAll(listening(Files.readAllLines(PROC.resolve(table)), address.port()));
                }
            }
            try (Stream<Path> processes = Files.list(PROC)) {
                return processes
                        .filter(process -> holds(process, sockets))
                        .findFirst()
                        .map(WatchedProcess::new);
            }
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /** Returns the link targets of the listening sockets in the kernel's table of connections. */
    static Set<String> listening(List<String> table, int port) {
        String end = String.format(Locale.ROOT, ":%04X", port);
        Set<String> sockets = new HashSet<>();
        for (String line : table) {
            String[] fields = line.strip().split("\\s+", -1);
            if (fields.length > 9 && fields[1].endsWith(end) && fields[3].equals(LISTENING)) {
                sockets.add("socket:[" + fields[9] + "]");
            }
        }
        return sockets;
    }

    private static boolean holds(Path process, Set<String> sockets) {
        if (!Character.isDigit(process.getFileName().toString().charAt(0))) {
            return false;
        }
        try (Stream<Path> files = Files.list(process.resolve("fd"))) {
            return files.anyMatch(file -> sockets.contains(link(file)));
        } catch (IOException | UncheckedIOException e) {
            // A process of another user, or one that has ended.
            return false;
        }
    }

    private static String link(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns name and process id, for people. */
    public String description() {
        try {
            return Files.readString(files.resolve("comm")).strip() + ", pid " + files.getFileName();
        } catch (IOException e) {
            return "gone";
        }
    }

    /** Returns the user and system time of all threads. */
    OptionalLong cpuMicros() {
        try {
            String stat = Files.readString(files.resolve("stat"));
            // The name in brackets may contain blanks, so fields are counted after it.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return OptionalLong.of((Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_MICROS);
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    public OptionalLong residentBytes() {
        return memory("VmRSS:");
    }

    public OptionalLong residentBytesPeak() {
        return memory("VmHWM:");
    }

    /** Waits until the process is idle, or for a minute, so that background work does not count for the next workload. */
    void awaitIdle() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        long before = cpuMicros().orElse(0);
        while (System.nanoTime() < end) {
            Thread.sleep(LOOK.toMillis());
            long now = cpuMicros().orElse(0);
            if (now - before <= TICK_MICROS) {
                return;
            }
            before = now;
        }
    }

    private OptionalLong memory(String field) {
        try (Stream<String> lines = Files.lines(files.resolve("status"))) {
            return lines.filter(line -> line.startsWith(field))
                    .map(line ->
                            line.substring(field.length()).replace("kB", "").strip())
                    .mapToLong(kibibytes -> Long.parseLong(kibibytes) * 1024)
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return OptionalLong.empty();
        }
    }
}
