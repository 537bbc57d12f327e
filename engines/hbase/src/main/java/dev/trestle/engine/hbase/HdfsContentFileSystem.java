package dev.trestle.engine.hbase;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.content.ContentFileSystem;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;

/** Files in HDFS, or in another Hadoop file system of the cluster. */
final class HdfsContentFileSystem implements ContentFileSystem {
    private final FileSystem opened;
    private final FileSystem files;
    private final Path root;
    private final boolean synced;

    private HdfsContentFileSystem(FileSystem opened, Path root, boolean synced) {
        this.opened = opened;
        // For local files, the raw file system: the checksum files of the other one are not synced.
        this.files = opened instanceof LocalFileSystem local ? local.getRaw() : opened;
        this.root = root;
        this.synced = synced;
    }

    static HdfsContentFileSystem open(Path root, Configuration configuration, boolean synced) throws IOException {
        Configuration own = new Configuration(configuration);
        // Otherwise its shutdown hook would close it before requests in flight have completed.
        own.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
        HdfsContentFileSystem files =
                new HdfsContentFileSystem(FileSystem.newInstance(root.toUri(), own), root, synced);
        boolean made = false;
        try {
            for (String folder : new String[] {"incoming", "content"}) {
                files.makeFolder(files.path(folder));
            }
            made = true;
            return files;
        } finally {
            if (!made) {
                files.close();
            }
        }
    }

    private Path path(String path) {
        return new Path(root, path);
    }

    private void makeFolder(Path folder) throws IOException {
        if (!files.mkdirs(folder)) {
            throw new IOException("The folder " + folder + " cannot be created.");
        }
    }

    @Override
    public Output create(String path) throws IOException {
        Path file = path(path);
        // hsync covers the last block only; this flag syncs each block when it is full.
        EnumSet<CreateFlag> flags =
                synced ? EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK) : EnumSet.of(CreateFlag.CREATE);
        FSDataOutputStream output = files.create(
                file,
                FsPermission.getFileDefault(),
                flags,
                files.getConf()
                        .getInt(
                                CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_KEY,
                                CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_DEFAULT),
                files.getDefaultReplication(file),
                files.getDefaultBlockSize(file),
                null);
        return new HdfsOutput(output, synced);
    }

    @Override
    public Optional<Input> open(String path) throws IOException {
        try {
            Path file = path(path);
            return Optional.of(new HdfsInput(
                    files.open(file), () -> files.getFileStatus(file).getLen()));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean move(String from, String to) throws IOException {
        Path source = path(from);
        Path target = path(to);
        makeFolder(target.getParent());
        try {
            if (files.rename(source, target)) {
                return true;
            }
        } catch (FileNotFoundException e) {
            return false;
        }
        if (files.exists(source)) {
            throw new IOException(source + " cannot be moved to " + target + ".");
        }
        return false;
    }

    @Override
    public boolean link(String from, String to) {
        return false;
    }

    @Override
    public void delete(String path) throws IOException {
        files.delete(path(path), false);
    }

    @Override
    public void deleteFolder(String path) throws IOException {
        files.delete(path(path), true);
    }

    @Override
    public void list(String folder, Consumer<String> seen) throws IOException {
        try {
            RemoteIterator<FileStatus> entries = files.listStatusIterator(path(folder));
            while (entries.hasNext()) {
                seen.accept(entries.next().getPath().getName());
            }
        } catch (FileNotFoundException e) {
            // No entries.
        }
    }

    @Override
    public Optional<Instant> changed(String path) throws IOException {
        try {
            return Optional.of(
                    Instant.ofEpochMilli(files.getFileStatus(path(path)).getModificationTime()));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Does nothing: the name node has made entries durable when it responds. */
    @Override
    public void syncFolder(String path) {}

    @Override
    public EngineException failure(Throwable thrown) {
        Throwable cause = thrown instanceof FSError && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof EngineException known) {
            return known;
        }
        if (cause instanceof EOFException || cause instanceof FileNotFoundException) {
            return new EngineException(
                    EngineException.Kind.CORRUPT, "A content is missing or shorter than it was.", cause);
        }
        if (cause instanceof ClusterStorageCapacityExceededException
                || String.valueOf(cause.getMessage()).contains("No space left")) {
            return new EngineException(EngineException.Kind.FULL, "The file system of the cluster is full.", cause);
        }
        if (cause instanceof AccessControlException || !(cause instanceof IOException)) {
            return new EngineException(
                    EngineException.Kind.UNAVAILABLE, "The file system of the cluster rejected the operation.", cause);
        }
        return HBaseErrors.of(cause);
    }

    @Override
    public void close() throws IOException {
        opened.close();
    }
}
