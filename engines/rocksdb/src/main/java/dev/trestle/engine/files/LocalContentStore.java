package dev.trestle.engine.files;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.content.FileSystemContentStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;

/** Opens the content store in the data folder of an engine. */
public final class LocalContentStore {
    private LocalContentStore() {}

    /**
     * Opens the store. The engine of the caller must have locked the folder, because recovery assumes that no
     * other process uses it.
     *
     * @param synced whether sealed contents survive a power failure, or only a crash of the process
     * @throws EngineException if the folder cannot be used, with a message for the operator
     */
    public static ContentStore open(Path data, boolean synced) {
        return open(data, synced, FileSystemContentStore.Settings.alone());
    }

    /**
     * Opens a store in a temporary folder that is deleted when the store is closed, for engines in memory.
     *
     * @throws EngineException if temporary files cannot be created
     */
    public static ContentStore openTemporary() {
        try {
            return new FileSystemContentStore(
                    LocalFileSystem.temporary(), FileSystemContentStore.Settings.alone(), InstantSource.system());
        } catch (IOException e) {
            throw new EngineException(
                    EngineException.Kind.UNAVAILABLE, "There is no place for the contents of blobs: " + e, e);
        }
    }

    static ContentStore open(Path data, boolean synced, FileSystemContentStore.Settings settings) {
        try {
            return new FileSystemContentStore(LocalFileSystem.open(data, synced), settings, InstantSource.system());
        } catch (IOException e) {
            throw new EngineException(
                    EngineException.Kind.UNAVAILABLE, "The folder " + data + " cannot be used: " + e, e);
        }
    }
}
