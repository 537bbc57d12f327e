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

/** A process of this machine in the books of the Linux kernel: processor time and memory. */
public final class WatchedProcess {
    private static final Path PROC = Path.of("/proc");
    private static final String LISTENING = "0A";

    /** The kernel counts processor time in hundredths of a second for everybody who reads it here. */
    private static final long TICK_MICROS = 10_000;

    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path books;

    private WatchedProcess(Path books) {
        this.books = books;
    }

    /** The process that listens where the address says, if it is on this machine and may be looked at. */
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

    /** What the links of these sockets read, of the kernel's table of connections. */
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
            // Somebody else's, or gone already.
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

    /** Its number and name, for people to see that it is the right one. */
    public String description() {
        try {
            return Files.readString(books.resolve("comm")).strip() + ", pid " + books.getFileName();
        } catch (IOException e) {
            return "gone";
        }
    }

    /** User and system time of all its threads so far. */
    OptionalLong cpuMicros() {
        try {
            String stat = Files.readString(books.resolve("stat"));
            // The name in brackets may hold anything, so fields are counted from behind it.
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

    /** Waits until it has nothing to do any more, or for a minute: what it tidies up belongs to no request. */
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
        try (Stream<String> lines = Files.lines(books.resolve("status"))) {
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
