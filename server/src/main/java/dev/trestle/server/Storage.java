package dev.trestle.server;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineTelemetry;
import java.util.function.Supplier;

/**
 * The storage of a server.
 *
 * @param telemetry the metrics of the engine
 * @param contents opens the store of blob content; called once, only if blobs are served; the server closes the store
 */
public record Storage(Engine engine, EngineTelemetry telemetry, Supplier<ContentStore> contents) {

    /** Creates a storage without blob content. */
    public static Storage of(Engine engine) {
        return new Storage(engine, EngineTelemetry.NONE, () -> {
            throw new IllegalStateException("no store for blob content");
        });
    }
}
