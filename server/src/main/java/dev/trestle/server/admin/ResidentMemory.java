package dev.trestle.server.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How much of this process is in RAM, which only the system knows. */
final class ResidentMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String FIELD = "VmRSS:";
    private static final double KIB = 1024;

    private ResidentMemory() {}

    /** Not a number where the system does not tell. */
    static double bytes() {
        try {
            return Files.isReadable(STATUS) ? parse(Files.readAllLines(STATUS)) : Double.NaN;
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    /** The field reads {@code VmRSS:  123456 kB}. */
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
