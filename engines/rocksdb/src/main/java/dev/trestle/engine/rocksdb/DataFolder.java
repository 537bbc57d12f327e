package dev.trestle.engine.rocksdb;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.support.OwnerOnlyPermissions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The data folder of an engine, locked by one process at a time. Opening fails, with a message for the operator,
 * if the folder is in use, was not created by Trestle, or has a newer format.
 *
 * <pre>
 * trestle.format   "trestle-rocksdb 1", written once
 * trestle.lock     locked while in use; contains the process id
 * trestle.rows     exists once the rows were opened, see {@link RowFiles}
 * rows/            the RocksDB database
 * </pre>
 */
final class DataFolder implements AutoCloseable {
    static final int FORMAT = 1;
    private static final String FORMAT_WORD = "trestle-rocksdb ";
    private static final String FORMAT_FILE = "trestle.format";
    private static final String FORMAT_FILE_NEW = "trestle.format.new";
    private static final String LOCK_FILE = "trestle.lock";

    /** Entries of a folder that counts as empty: of an interrupted first start, or of a new file system. */
    private static final Set<String> IGNORED = Set.of(LOCK_FILE, FORMAT_FILE_NEW, "lost+found");

    /**
     * Folders locked by this process. The lock file must not be opened again while it is locked: on POSIX systems,
     * closing any descriptor of a file releases all locks of the process on it.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel lockChannel;
    private final RowFiles rows;

    private DataFolder(Path directory, FileChannel lockChannel) {
        this.directory = directory;
        this.lockChannel = lockChannel;
        this.rows = new RowFiles(directory);
    }

    static DataFolder open(Path directory) {
        try {
            Files.createDirectories(directory, OwnerOnlyPermissions.folder(directory));
            if (!Files.isWritable(directory)) {
                throw refused("The folder " + directory + " is not writable for this user.");
            }
            checkFormat(directory);
            return hold(directory.toRealPath());
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    private static EngineException unusable(Path directory, IOException e) {
        return new EngineException(
                EngineException.Kind.UNAVAILABLE, "The folder " + directory + " cannot be used: " + reason(e) + ".", e);
    }

    /** Returns the reason that the system gives, without the name of the Java exception. */
    private static String reason(IOException e) {
        if (e instanceof FileSystemException known) {
            String reason = known instanceof AccessDeniedException
                    ? "access is denied"
                    : known instanceof FileAlreadyExistsException ? "a file is in its place" : known.getReason();
            return (reason == null ? "the system gives no reason" : reason) + " (" + known.getFile() + ")";
        }
        return String.valueOf(e.getMessage());
    }

    private static DataFolder hold(Path directory) throws IOException {
        if (!HELD.add(directory)) {
            throw inUse(directory, Long.toString(ProcessHandle.current().pid()));
        }
        boolean opened = false;
        try {
            FileChannel channel = lock(directory);
            try {
                if (!Files.exists(directory.resolve(FORMAT_FILE))) {
                    writeFormat(directory);
                }
                opened = true;
                return new DataFolder(directory, channel);
            } finally {
                if (!opened) {
                    channel.close();
                }
            }
        } finally {
            if (!opened) {
                HELD.remove(directory);
            }
        }
    }

    Path rows() {
        return rows.folder();
    }

    /**
     * Checks that no files of the rows are missing.
     *
     * @throws EngineException if some are, with a message for the operator
     */
    void requireRows() {
        try {
            rows.requireAll();
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    /** Records that the rows were opened, so that later starts require them. */
    void markRows() {
        try {
            rows.mark();
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    private static void checkFormat(Path directory) throws IOException {
        String marker;
        try {
            // This encoding can decode any bytes, so that damage is reported as such.
            marker = Files.readString(directory.resolve(FORMAT_FILE), StandardCharsets.ISO_8859_1)
                    .strip();
        } catch (NoSuchFileException e) {
            try (Stream<Path> entries = Files.list(directory)) {
                if (entries.anyMatch(
                        entry -> !IGNORED.contains(entry.getFileName().toString()))) {
                    throw refused("The folder " + directory
                            + " is not empty and was not made by Trestle; choose an empty folder or a new name.");
                }
            }
            return;
        }
        int format = parseFormat(directory, marker);
        if (format > FORMAT) {
            throw refused("The folder " + directory + " was written by a newer Trestle (format " + format
                    + "; this one knows format " + FORMAT + "). Start that version, or choose another folder.");
        }
    }

    private static int parseFormat(Path directory, String marker) {
        try {
            if (marker.startsWith(FORMAT_WORD)) {
                return Integer.parseInt(marker.substring(FORMAT_WORD.length()));
            }
        } catch (NumberFormatException e) {
            // Reported below, like any other text that is not a marker.
        }
        throw refused(
                "The folder " + directory + " holds a " + FORMAT_FILE + " that is damaged, or that Trestle did not"
                        + " write. If the folder holds data of Trestle, check its disk and restore the file from a backup: it is one"
                        + " line, " + FORMAT_WORD + FORMAT + ". If not, choose another folder.");
    }

    private static void writeFormat(Path directory) throws IOException {
        Path fresh = directory.resolve(FORMAT_FILE_NEW);
        try (FileChannel file = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            file.write(ByteBuffer.wrap((FORMAT_WORD + FORMAT + "\n").getBytes(StandardCharsets.UTF_8)));
            file.force(true);
        }
        Path marker = directory.resolve(FORMAT_FILE);
        try {
            Files.move(fresh, marker, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(fresh, marker);
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        FileChannel channel = FileChannel.open(
                directory.resolve(LOCK_FILE),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw inUse(
                        directory,
                        Files.readString(directory.resolve(LOCK_FILE)).strip());
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static EngineException inUse(Path directory, String holder) {
        return refused("Another Trestle server" + (holder.isEmpty() ? "" : " (process " + holder + ")")
                + " uses the folder " + directory + ".");
    }

    private static EngineException refused(String sentence) {
        return new EngineException(EngineException.Kind.UNAVAILABLE, sentence);
    }

    /**
     * Unlocks the folder. The lock file stays, because deleting it would race with the next process that locks it.
     */
    @Override
    public void close() {
        try {
            lockChannel.close();
        } catch (IOException e) {
            throw RocksErrors.of(e);
        } finally {
            HELD.remove(directory);
        }
    }
}
