package dev.trestle.engine.files;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.content.ContentFileSystem;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Local files. */
final class LocalFileSystem implements ContentFileSystem {
    /** Windows cannot open folders, and need not sync them. */
    private static final boolean CAN_SYNC_FOLDERS = File.separatorChar == '/';

    /** Space that the engine needs to flush its memtables. */
    private static final long RESERVED_BYTES_MAX = 64L << 20;

    /** On a small disk the reserve is one part in so many. */
    private static final int RESERVED_FRACTION = 4;

    private final Path root;
    private final boolean synced;
    private final boolean temporary;
    private final FileStore disk;
    private final long reservedBytes;

    private LocalFileSystem(Path root, boolean synced, boolean temporary) throws IOException {
        this.root = root;
        this.synced = synced;
        this.temporary = temporary;
        this.disk = Files.getFileStore(root.resolve("incoming"));
        this.reservedBytes = temporary ? 0 : Math.min(RESERVED_BYTES_MAX, disk.getTotalSpace() / RESERVED_FRACTION);
    }

    static LocalFileSystem open(Path root, boolean synced) throws IOException {
        return open(root, synced, false);
    }

    /** Creates a temporary folder, which is deleted on close. */
    static LocalFileSystem temporary() throws IOException {
        return open(Files.createTempDirectory("trestle"), false, true);
    }

    private static LocalFileSystem open(Path root, boolean synced, boolean temporary) throws IOException {
        for (String folder : new String[] {"incoming", "content"}) {
            Files.createDirectories(root.resolve(folder));
        }
        LocalFileSystem files = new LocalFileSystem(root, synced, temporary);
        files.syncFolder("");
        return files;
    }

    @Override
    public Output create(String path) throws IOException {
        FileChannel file =
                FileChannel.open(root.resolve(path), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return new LocalOutput(file, synced);
    }

    @Override
    public void requireRoom(long bytes) throws IOException {
        if (disk.getUsableSpace() - bytes < reservedBytes) {
            throw new EngineException(EngineException.Kind.FULL, "The disk is full.");
        }
    }

    @Override
    public Optional<Input> open(String path) throws IOException {
        try {
            Path file = root.resolve(path);
            long written = Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS);
            return Optional.of(new LocalInput(FileChannel.open(file, StandardOpenOption.READ), written));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean move(String from, String to) throws IOException {
        Path source = root.resolve(from);
        Path target = root.resolve(to);
        try {
            Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (NoSuchFileException e) {
            if (!Files.exists(source)) {
                return false;
            }
        }
        Path folder = target.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        try {
            Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (NoSuchFileException e) {
            // Moved or deleted concurrently.
            return false;
        }
    }

    @Override
    public boolean link(String from, String to) {
        try {
            Files.createLink(root.resolve(to), root.resolve(from));
            return true;
        } catch (UnsupportedOperationException | IOException e) {
            // The file does not exist, hard links are not supported, or the file has too many.
            return false;
        }
    }

    @Override
    public void delete(String path) throws IOException {
        Files.deleteIfExists(root.resolve(path));
    }

    @Override
    public void deleteFolder(String path) throws IOException {
        Path folder = root.resolve(path);
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path emptied, @Nullable IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.deleteIfExists(emptied);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Override
    public void list(String folder, Consumer<String> seen) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(folder))) {
            for (Path entry : entries) {
                seen.accept(String.valueOf(entry.getFileName()));
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            // No entries.
        }
    }

    @Override
    public Optional<Instant> changed(String path) throws IOException {
        try {
            return Optional.of(Files.getLastModifiedTime(root.resolve(path)).toInstant());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public void syncFolder(String path) throws IOException {
        if (synced && CAN_SYNC_FOLDERS) {
            try (FileChannel folder = FileChannel.open(root.resolve(path), StandardOpenOption.READ)) {
                folder.force(true);
            }
        }
    }

    @Override
    public EngineException failure(Throwable thrown) {
        if (thrown instanceof EngineException known) {
            return known;
        }
        if (thrown instanceof EOFException) {
            return new EngineException(EngineException.Kind.CORRUPT, "A content is shorter than it was.", thrown);
        }
        if (thrown instanceof IOException && isFull(thrown)) {
            return new EngineException(EngineException.Kind.FULL, "The disk is full.", thrown);
        }
        return new EngineException(EngineException.Kind.UNAVAILABLE, "The storage cannot be used now.", thrown);
    }

    /** Detects a full disk or an exceeded quota by the message of the system; Java has no error code. */
    private static boolean isFull(Throwable thrown) {
        String reason = thrown instanceof FileSystemException e ? e.getReason() : thrown.getMessage();
        return reason != null && (reason.contains("No space left") || reason.contains("quota exceeded"));
    }

    @Override
    public void close() throws IOException {
        if (temporary) {
            deleteFolder("");
        }
    }
}
