package dev.trestle.server.http;

import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.pipeline.ErrorRenderer;
import dev.trestle.server.pipeline.RequestIds;
import dev.trestle.server.pipeline.RequestObserver;
import dev.trestle.server.pipeline.RequestPipeline;
import io.vertx.core.Vertx;
import java.util.function.LongSupplier;

/**
 * The state that the front ends of one service share across event loops.
 *
 * @param nanoTime the clock for timeouts
 */
record TransportContext(
        Vertx vertx,
        RequestPipeline pipeline,
        ErrorRenderer errors,
        Accounts accounts,
        RequestIds ids,
        ResponseWriter writer,
        ServerLoad load,
        TimeLimits times,
        RequestObserver observer,
        LongSupplier nanoTime) {
    long now() {
        return nanoTime.getAsLong();
    }
}
