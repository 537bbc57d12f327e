package dev.trestle.server.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The resident memory of this process as Linux reports it. */
final class ResidentMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String FIELD = "VmRSS:";
    private static final double KIB = 1024;

    private ResidentMemory() {}

    /** Returns the resident memory; NaN on other systems. */
    static double bytes() {
        try {
            return Files.isReadable(STATUS) ? parse(Files.readAllLines(STATUS)) : Double.NaN;
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    /** Parses the line {@code VmRSS:  123456 kB}. */
    static double parse(List<String> status) {
        return status.stream()
                .filter(line -> line.startsWith(FIELD))
                .map(line -> line.substring(FIELD.length()).replace("kB", "").strip())
                .mapToDouble(Double::parseDouble)
                .map(kibibytes -> kibibytes * KIB)
                .findFirst()
                .orElse(Double.NaN);
    }
}
