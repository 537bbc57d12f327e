package dev.trestle.server.http;

import dev.trestle.model.TableName;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Authenticator;
import dev.trestle.server.auth.PolicyLookup;
import dev.trestle.server.throttle.Throttle;
import dev.trestle.table.Table;
import dev.trestle.table.TableService;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.InstantSource;

/** The Table service behind HTTP: everything a request of it passes, put together. */
public final class TableEndpoint {
    private final Vertx vertx;
    private final RequestPipeline pipeline;
    private final ErrorRenderer errors;
    private final Accounts accounts;
    private final RequestIds ids = new RequestIds(new SecureRandom());
    private final ResponseWriter writer;
    private final RequestObserver observer;
    private final Throttle throttle;
    private final ServerLoad load;
    private final TimeLimits times;

    public TableEndpoint(
            Vertx vertx,
            TableService tables,
            Accounts accounts,
            InstantSource clock,
            boolean explainRefusals,
            HttpConfig config,
            RequestObserver observer) {
        this.vertx = vertx;
        this.accounts = accounts;
        this.errors = new ErrorRenderer(clock);
        this.writer = new ResponseWriter(clock);
        this.observer = observer;
        this.throttle = new Throttle(config.rateLimits(), System::nanoTime);
        this.load = new ServerLoad(config);
        this.times = config.times();
        EntityRoutes entities = new EntityRoutes(tables, throttle, load);
        BatchRoute batches = new BatchRoute(tables, entities, errors, throttle);
        TableRoutes routes = new TableRoutes(tables, entities, batches, clock);
        PolicyLookup policies = (account, name) ->
                tables.findTable(account, new TableName(name)).thenApply(found -> found.map(Table::policies));
        this.pipeline = new RequestPipeline(
                accounts,
                new Authenticator(accounts, clock, explainRefusals),
                policies,
                tables,
                routes,
                errors,
                throttle);
    }

    /** What its connections hold now. */
    public ServerLoad load() {
        return load;
    }

    public Throttle throttle() {
        return throttle;
    }

    /** The part of it that one event loop runs; to be called on that loop. */
    public HttpFrontEnd newFrontEnd() {
        return new HttpFrontEnd(vertx, pipeline, errors, accounts, ids, writer, load, times, observer);
    }
}
