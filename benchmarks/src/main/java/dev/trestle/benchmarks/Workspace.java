package dev.trestle.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The data folder of the servers of a run: a temporary one, unless the user names one to keep. */
final class Workspace implements AutoCloseable {
    private final Path folder;
    private final boolean kept;

    Workspace(Optional<Path> given) throws IOException {
        kept = given.isPresent();
        folder = kept ? Files.createDirectories(given.get()) : Files.createTempDirectory("trestle-bench");
    }

    Path folder(String name) {
        return folder.resolve(name);
    }

    /** Returns the total length of all files below a folder. */
    static long bytes(Path below) throws IOException {
        try (Stream<Path> files = Files.walk(below)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    static void delete(Path below) throws IOException {
        if (!Files.exists(below)) {
            return;
        }
        try (Stream<Path> files = Files.walk(below)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    @Override
    public void close() throws IOException {
        if (!kept) {
            delete(folder);
        }
    }
}
