package dev.trestle.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Resource usage of a process, from {@code /proc}. */
final class ProcessFigures {
    private static final long KIB = 1024;

    private final Path folder;

    private ProcessFigures(Path folder) {
        this.folder = folder;
    }

    static ProcessFigures of(TrestleProcess process) {
        return new ProcessFigures(
                Path.of("/proc", Long.toString(process.process().pid())));
    }

    /** Returns the peak resident memory. */
    long residentBytesPeak() {
        return status("VmHWM:") * KIB;
    }

    long residentBytes() {
        return status("VmRSS:") * KIB;
    }

    private long status(String field) {
        try (Stream<String> lines = Files.lines(folder.resolve("status"))) {
            return lines.filter(line -> line.startsWith(field))
                    .map(line ->
                            line.substring(field.length()).replace("kB", "").strip())
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Files and sockets it has open. */
    long descriptors() {
        try (Stream<Path> open = Files.list(folder.resolve("fd"))) {
            return open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
