package dev.trestle.engine.files;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.content.FileSystemContentStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;

/** Opens the store of contents that lies in a data folder, beside the rows of the engine that holds the folder. */
public final class LocalContentStore {
    private LocalContentStore() {}

    /**
     * Opens the store. The folder has to be locked by the caller's engine already, because what an earlier process left
     * is told from what this one does by nothing else.
     *
     * @param synced whether what is sealed survives a loss of power, or a crash of the process alone
     * @throws EngineException with a sentence for the person who starts the server when the folder cannot be used
     */
    public static ContentStore open(Path data, boolean synced) {
        return open(data, synced, FileSystemContentStore.Settings.alone());
    }

    /**
     * Opens a store that is deleted when it is closed, for engines that keep their rows in memory.
     *
     * @throws EngineException when there is no place for temporary files
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
