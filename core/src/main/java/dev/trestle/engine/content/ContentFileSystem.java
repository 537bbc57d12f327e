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
 * The little that {@link FileSystemContentStore} asks of a file system. All of it may take as long as it needs, and may be asked
 * by many threads. Paths are relative, of names joined by slashes.
 */
public interface ContentFileSystem extends Closeable {
    /** Makes a file, in a folder that is there. */
    Output create(String path) throws IOException;

    /** Throws when so many more bytes would leave no room for what else is written there. */
    default void requireRoom(long bytes) throws IOException {}

    /** A file being written, by one thread at a time. */
    interface Output extends Closeable {
        /** Writes all that remains in the buffer. */
        void write(ByteBuffer bytes) throws IOException;

        /** Makes what was written as durable as contents are to be here. */
        void sync() throws IOException;
    }

    /** Opens a file, where there is one. */
    Optional<Input> open(String path) throws IOException;

    /** A file being read, by any number of threads. */
    interface Input extends Closeable {
        long size() throws IOException;

        /**
         * Fills the buffer.
         *
         * @throws EOFException when the file ends before that
         */
        void read(long position, ByteBuffer into) throws IOException;

        Optional<FileChannel> file();

        /** Differs once the file was written to again; 0 where that cannot be known. */
        default long stamp() {
            return 0;
        }
    }

    /** Moves a file or a folder in one step, making the folders it needs; false when there is nothing to move. */
    boolean move(String from, String to) throws IOException;

    /** Gives a file a second name, each of which can then be deleted; false where that cannot be done. */
    boolean link(String from, String to) throws IOException;

    /** Deletes a file, if there is one. */
    void delete(String path) throws IOException;

    /** Deletes a folder with all that is in it, if there is one. */
    void deleteFolder(String path) throws IOException;

    /** Shows the names of what is in a folder; none when there is no folder. */
    void list(String folder, Consumer<String> seen) throws IOException;

    /** When a file was last changed; empty when there is none. */
    Optional<Instant> changed(String path) throws IOException;

    /** Makes the names of the files in a folder as durable as contents are to be here. */
    void syncFolder(String path) throws IOException;

    /** What callers of the store are told of something that was thrown here. */
    EngineException failure(Throwable thrown);
}
