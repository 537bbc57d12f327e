package dev.trestle.engine;

import java.time.InstantSource;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Opens the storage of one engine. Implementations are found with {@link ServiceLoader}, so an engine costs
 * nothing unless it is on the class path. They have a public constructor without parameters that does nothing.
 */
public interface StorageProvider {
    /** Returns the name of the engine, as in {@code --engine}. */
    String name();

    /**
     * Opens the engine.
     *
     * @throws EngineException if that fails, with a message for the operator
     */
    Storage open(StorageConfig config, InstantSource clock);

    /** Finds the provider of an engine on the class path. */
    static Optional<StorageProvider> find(String name) {
        for (StorageProvider provider : ServiceLoader.load(StorageProvider.class)) {
            if (provider.name().equals(name)) {
                return Optional.of(provider);
            }
        }
        return Optional.empty();
    }
}
