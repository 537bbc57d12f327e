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
 * Checks for the files in {@code rows/} without which RocksDB would open an empty database, or one without the
 * latest writes. A marker file, {@code trestle.rows}, shows that the database was opened before.
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
     * Checks that no file is missing, before RocksDB opens the folder.
     *
     * @throws EngineException if one is, with a message for the operator
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
        // An open database always has a log, even without rows.
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
        // RocksDB reports any other content of CURRENT itself.
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

    /** Creates the marker. */
    void mark() throws IOException {
        Path marker = directory.resolve(MARKER);
        if (!Files.exists(marker)) {
            try (FileChannel file = FileChannel.open(marker, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                file.force(true);
            }
        }
    }
}
