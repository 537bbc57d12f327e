package dev.trestle.benchmarks;

import dev.trestle.benchmarks.load.BlobStream;
import dev.trestle.benchmarks.load.BlobStream.Taken;
import dev.trestle.benchmarks.load.Endpoint;
import dev.trestle.benchmarks.report.TextTable;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Measures upload and download of one large blob, in turns with a plain file copy and with nginx serving that file, so that
 * noise of the machine affects all of them.
 */
final class Streams {
    private static final String CONTAINER = "streams";
    private static final String FILE = "content";
    private static final String PUT = "put a blob";
    private static final String COPY_SYNCED = "copy a file, synced";
    private static final String GET = "get the blob";
    private static final String NGINX = "get the file from nginx";
    private static final String COPY = "copy a file";

    private final Endpoint endpoint;
    private final long bytes;
    private final int rounds;
    private final Path folder;
    private final PrintStream err;
    private final Map<String, List<Taken>> taken = new LinkedHashMap<>();

    /** @param folder the folder of the file and its copies, preferably on the disk of the server's data */
    Streams(Endpoint endpoint, long bytes, int rounds, Path folder, PrintStream err) {
        this.endpoint = endpoint;
        this.bytes = bytes;
        this.rounds = rounds;
        this.folder = folder;
        this.err = err;
        List.of(PUT, COPY_SYNCED, GET, NGINX, COPY).forEach(what -> taken.put(what, new ArrayList<>()));
    }

    /** A transfer of the whole blob. */
    private interface Transfer {
        Taken run() throws IOException;
    }

    /** Measures and returns the lines of the report. */
    List<String> run() throws IOException, InterruptedException {
        Path file = Files.createDirectories(folder).resolve(FILE);
        write(file);
        BlobStream blob = BlobStream.blob(endpoint, CONTAINER, FILE);
        Optional<Nginx> nginx = Nginx.start(folder);
        try {
            Optional<BlobStream> served = nginx.map(one -> BlobStream.file(one.address(), "/" + FILE));
            // The first round is a warm-up and does not count.
            for (int round = 0; round <= rounds; round++) {
                err.println(round == 0 ? "Warming up" : "Round " + round + " of " + rounds);
                measure(round, PUT, () -> blob.put(bytes));
                measure(round, COPY_SYNCED, () -> copy(file, true));
                measure(round, GET, () -> blob.get(bytes));
                if (served.isPresent()) {
                    measure(round, NGINX, () -> served.get().get(bytes));
                }
                measure(round, COPY, () -> copy(file, false));
            }
        } finally {
            nginx.ifPresent(Nginx::close);
            Files.deleteIfExists(file);
        }
        return report();
    }

    private void measure(int round, String what, Transfer transfer) throws IOException {
        Taken one = transfer.run();
        if (round > 0) {
            List<Taken> all = taken.get(what);
            if (all != null) {
                all.add(one);
            }
        }
    }

    private void write(Path file) throws IOException {
        try (FileChannel out = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            for (long rest = bytes; rest > 0; rest -= BlobStream.PIECE.length) {
                writeAll(out, ByteBuffer.wrap(BlobStream.PIECE, 0, (int) Math.min(BlobStream.PIECE.length, rest)));
            }
        }
    }

    private static void writeAll(FileChannel out, ByteBuffer piece) throws IOException {
        while (piece.hasRemaining()) {
            out.write(piece);
        }
    }

    private Taken copy(Path file, boolean synced) throws IOException {
        Path copy = folder.resolve("copy");
        ByteBuffer piece = ByteBuffer.allocateDirect(1 << 20);
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long begun = System.nanoTime();
        try (FileChannel in = FileChannel.open(file);
                FileChannel out = FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (in.read(piece.clear()) >= 0) {
                writeAll(out, piece.flip());
            }
            if (synced) {
                out.force(true);
            }
            return new Taken(
                    bytes,
                    System.nanoTime() - begun,
                    OptionalLong.of((ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1000));
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    private List<String> report() {
        List<String> lines = new ArrayList<>();
        lines.add("Server   " + endpoint);
        lines.add(String.format(
                Locale.ROOT, "Data     %,d bytes, %d rounds, in turns, files in %s", bytes, rounds, folder));
        lines.add("");
        TextTable table = new TextTable("", "MB/s", "of rounds", "CPU ms/GB");
        taken.forEach((what, all) -> {
            if (!all.isEmpty()) {
                table.row(what, number("%,.0f", rate(all)), spread(all), cpu(all));
            }
        });
        lines.addAll(table.lines());
        lines.add("");
        lines.add(ratio(PUT, COPY_SYNCED));
        lines.add(ratio(GET, COPY));
        lines.add(
                of(NGINX).isEmpty()
                        ? "nginx is not installed, so it is not compared; install the package nginx."
                        : ratio(GET, NGINX));
        lines.add("");
        lines.add(
                "MB/s over all rounds, then the minimum and maximum of single rounds. CPU is the CPU time of the server per"
                        + " or of the copy,");
        lines.add("gigabyte, without that of the client.");
        return lines;
    }

    private List<Taken> of(String what) {
        return taken.getOrDefault(what, List.of());
    }

    private String ratio(String first, String second) {
        return first + " / " + second + ": "
                + number("%.2f of its speed", rate(of(first)) / rate(of(second)))
                + cpuMillis(of(first)).stream()
                        .mapToObj(mine -> cpuMillis(of(second)).stream()
                                .mapToObj(other -> number(", %.2f times its CPU", mine / other))
                                .findFirst()
                                .orElse(""))
                        .findFirst()
                        .orElse("");
    }

    private static double rate(List<Taken> all) {
        return all.stream().mapToLong(Taken::bytes).sum()
                / 1e6
                / (all.stream().mapToLong(Taken::nanos).sum() / 1e9);
    }

    private static String spread(List<Taken> all) {
        return number(
                        "%,.0f-",
                        all.stream()
                                .mapToDouble(Taken::megabytesPerSecond)
                                .min()
                                .orElse(0))
                + number(
                        "%,.0f",
                        all.stream()
                                .mapToDouble(Taken::megabytesPerSecond)
                                .max()
                                .orElse(0));
    }

    private static OptionalDouble cpuMillis(List<Taken> all) {
        return all.stream().allMatch(one -> one.cpuMicros().isPresent())
                ? OptionalDouble.of(
                        all.stream().mapToLong(one -> one.cpuMicros().orElse(0)).sum()
                                / 1e3
                                / (all.stream().mapToLong(Taken::bytes).sum() / 1e9))
                : OptionalDouble.empty();
    }

    private static String cpu(List<Taken> all) {
        return cpuMillis(all).stream()
                .mapToObj(millis -> number("%,.0f", millis))
                .findFirst()
                .orElse("-");
    }

    @SuppressWarnings("AnnotateFormatMethod") // The formats are texts of this class.
    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
