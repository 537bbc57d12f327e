package dev.trestle.engine.content;

import dev.trestle.engine.EngineException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The file-system operations that {@link FileSystemContentStore} needs. They are thread-safe and may block. Paths
 * are relative, with slashes as separators.
 */
public interface ContentFileSystem extends Closeable {
    /** Creates a file in an existing folder. */
    Output create(String path) throws IOException;

    /** Throws if so many more bytes would leave too little space for other data on the same disk. */
    default void requireRoom(long bytes) throws IOException {}

    /** A file being written, by one thread at a time. */
    interface Output extends Closeable {
        /** Writes the remaining bytes of the buffer. */
        void write(ByteBuffer bytes) throws IOException;

        /** Makes the file durable, as configured. */
        void sync() throws IOException;
    }

    /** Opens a file, if it exists. */
    Optional<Input> open(String path) throws IOException;

    /** A file being read, by any number of threads. */
    interface Input extends Closeable {
        long size() throws IOException;

        /**
         * Fills the buffer.
         *
         * @throws EOFException if the file ends before
         */
        void read(long position, ByteBuffer into) throws IOException;

        Optional<FileChannel> file();

        /** Returns a value that changes if the file is written to again; 0 if unknown. */
        default long stamp() {
            return 0;
        }
    }

    /** Moves a file or folder atomically, creating parent folders; returns false if it does not exist. */
    boolean move(String from, String to) throws IOException;

    /** Creates a hard link to a file; returns false if that is not supported. */
    boolean link(String from, String to) throws IOException;

    /** Deletes a file, if it exists. */
    void delete(String path) throws IOException;

    /** Deletes a folder recursively, if it exists. */
    void deleteFolder(String path) throws IOException;

    /** Lists the names of the entries of a folder; none if it does not exist. */
    void list(String folder, Consumer<String> seen) throws IOException;

    /** Returns the modification time of a file; empty if it does not exist. */
    Optional<Instant> changed(String path) throws IOException;

    /** Makes the entries of a folder durable, as configured. */
    void syncFolder(String path) throws IOException;

    /** Maps an exception of these operations to the exception that callers of the store get. */
    EngineException failure(Throwable thrown);
}
