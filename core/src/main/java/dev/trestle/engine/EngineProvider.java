package dev.trestle.engine;

import java.time.InstantSource;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Opens an engine that is not part of every distribution. Found with {@link java.util.ServiceLoader}, so that nobody pays
 * for what it needs unless it is on the class path.
 */
public interface EngineProvider {
    /** What the engine is called where one is chosen. */
    String name();

    /**
     * Opens the engine.
     *
     * @param settings by the names that the options of the server have; those it does not know are no concern of it
     * @throws EngineException with a sentence for the person who starts the server when that cannot be done
     */
    Provided open(Map<String, String> settings, InstantSource clock);

    /**
     * An engine, how it can be watched, how it takes rows of another, and where contents are kept beside its rows.
     *
     * @param content opens the store, which whoever asks for it has to close, before the engine; fails as opening the
     *     engine does. Who stores no contents never asks
     */
    record Provided(Engine engine, EngineTelemetry telemetry, RowLoader loader, Supplier<ContentStore> content) {}
}
