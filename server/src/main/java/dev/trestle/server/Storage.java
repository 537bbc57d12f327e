package dev.trestle.server;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineTelemetry;
import java.util.function.Supplier;

/**
 * Where a server keeps what it is given.
 *
 * @param telemetry what the metrics show of the engine
 * @param contents opens the store of contents, asked once and only for services that need it; the server closes it
 */
public record Storage(Engine engine, EngineTelemetry telemetry, Supplier<ContentStore> contents) {

    /** An engine by itself, for services that keep all in rows. */
    public static Storage of(Engine engine) {
        return new Storage(engine, EngineTelemetry.NONE, () -> {
            throw new IllegalStateException("there is no place for the contents of blobs");
        });
    }
}
