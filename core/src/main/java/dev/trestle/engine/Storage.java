package dev.trestle.engine;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * An open engine with its content store and its optional capabilities. The caller of {@link StorageProvider#open}
 * closes the engine.
 *
 * @param telemetry metrics of the engine
 * @param loader loads rows of another engine, if this one supports that
 * @param ranges the key ranges of the engine, if it distributes them over servers
 * @param contents opens the content store; called at most once, and only if a service needs contents. The caller
 *     closes the store before the engine. Fails with {@link EngineException}
 */
public record Storage(
        Engine engine,
        EngineTelemetry telemetry,
        Optional<RowLoader> loader,
        Optional<PartitionRanges> ranges,
        Supplier<ContentStore> contents) {

    /** Creates the storage of an engine without optional capabilities. */
    public Storage(Engine engine, EngineTelemetry telemetry, Supplier<ContentStore> contents) {
        this(engine, telemetry, Optional.empty(), Optional.empty(), contents);
    }

    /** Returns the storage of an engine alone, for services that store rows only. */
    public static Storage of(Engine engine) {
        return new Storage(engine, EngineTelemetry.NONE, () -> {
            throw new IllegalStateException("This storage has no content store.");
        });
    }
}
