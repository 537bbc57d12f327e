package dev.trestle.engine;

import java.time.InstantSource;
import java.util.Map;

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

    /** An engine, how it can be watched, and how it takes rows of another. */
    record Provided(Engine engine, EngineTelemetry telemetry, RowLoader loader) {}
}
