package dev.trestle.engine.rocksdb;

import dev.trestle.engine.EngineException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files in {@code rows/} without which a store that was there would be opened as an empty one, or without what was
 * written last. A marker beside them, {@code trestle.rows}, says that the store was opened before.
 */
final class RowFiles {
    static final String MARKER = "trestle.rows";

    private static final String ROWS = "rows";
    private static final String CONTENT = "content";
    private static final String LOGS = "*.log";

    private final Path directory;

    /** @param directory the data folder */
    RowFiles(Path directory) {
        this.directory = directory;
    }

    Path folder() {
        return directory.resolve(ROWS);
    }

    /**
     * Checks, before the store is opened, that nothing is missing.
     *
     * @throws EngineException with a sentence for the person who starts the server
     */
    void requireAll() throws IOException {
        boolean opened = Files.exists(directory.resolve(MARKER));
        if (!opened && !holdsAny(directory.resolve(CONTENT), "*")) {
            return;
        }
        Optional<String> missing = missing();
        if (missing.isPresent()) {
            throw refused(
                    missing.get() + " is missing from it. Perhaps a volume is not mounted. Mount it, or restore the"
                            + " folder from a backup; to start without data, choose another folder.");
        }
        // The log that is written to is there from the first moment on, also in a store without rows.
        if (opened && !holdsAny(folder(), LOGS)) {
            throw refused(
                    "the write-ahead log, " + ROWS + "/" + LOGS + ", is missing from it, and with it what was written"
                            + " last. Restore these files, or the folder from a backup; to start without what was written last,"
                            + " delete " + MARKER + ".");
        }
    }

    private Optional<String> missing() throws IOException {
        Path current = folder().resolve("CURRENT");
        if (!Files.isDirectory(folder())) {
            return Optional.of(ROWS + "/");
        }
        if (!Files.exists(current)) {
            return Optional.of(ROWS + "/CURRENT");
        }
        String manifest = Files.readString(current, StandardCharsets.ISO_8859_1).strip();
        // One that is not a name of a manifest RocksDB refuses to open.
        return manifest.startsWith("MANIFEST-") && !Files.exists(folder().resolve(manifest))
                ? Optional.of(ROWS + "/" + manifest)
                : Optional.empty();
    }

    private static boolean holdsAny(Path folder, String names) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            String end = names.substring(1);
            return files.anyMatch(file -> file.toString().endsWith(end));
        }
    }

    private EngineException refused(String what) {
        return new EngineException(
                EngineException.Kind.UNAVAILABLE, "The folder " + directory + " held data, but " + what);
    }

    /** Notes that the store was opened. */
    void mark() throws IOException {
        Path marker = directory.resolve(MARKER);
        if (!Files.exists(marker)) {
            try (FileChannel file = FileChannel.open(marker, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                file.force(true);
            }
        }
    }
}
