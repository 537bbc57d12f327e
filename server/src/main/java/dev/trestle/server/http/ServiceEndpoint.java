package dev.trestle.server.http;

import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.pipeline.ErrorRenderer;
import dev.trestle.server.pipeline.RequestIds;
import dev.trestle.server.pipeline.RequestObserver;
import dev.trestle.server.pipeline.RequestPipeline;
import dev.trestle.server.sockets.VertxInternals;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** The HTTP endpoint of one service: its pipeline, and the state that the front ends of all event loops share. */
public final class ServiceEndpoint {
    private final TransportContext context;

    public ServiceEndpoint(
            Vertx vertx,
            RequestPipeline pipeline,
            ErrorRenderer errors,
            Accounts accounts,
            RequestIds ids,
            ServerLoad load,
            TimeLimits times,
            RequestObserver observer,
            InstantSource clock,
            LongSupplier nanoTime) {
        ResponseWriter writer = new ResponseWriter(clock, VertxInternals.sendsFiles(vertx));
        this.context =
                new TransportContext(vertx, pipeline, errors, accounts, ids, writer, load, times, observer, nanoTime);
    }

    /** Creates the front end of an event loop; must be called on that loop. */
    public HttpFrontEnd newFrontEnd() {
        return new HttpFrontEnd(context);
    }
}
