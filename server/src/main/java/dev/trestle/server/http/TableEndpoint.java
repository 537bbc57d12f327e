package dev.trestle.server.http;

import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Authenticator;
import dev.trestle.server.auth.PolicyLookup;
import dev.trestle.table.Table;
import dev.trestle.table.TableService;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** The Table service behind HTTP: everything a request of it passes, put together. */
public final class TableEndpoint {
    private final Vertx vertx;
    private final RequestPipeline pipeline;
    private final ErrorRenderer errors;
    private final Accounts accounts;
    private final RequestIds ids = new RequestIds(new SecureRandom());
    private final ResponseWriter writer;
    private final AtomicLong bufferedBytes = new AtomicLong();

    public TableEndpoint(
            Vertx vertx, TableService tables, Accounts accounts, InstantSource clock, boolean explainRefusals) {
        this.vertx = vertx;
        this.accounts = accounts;
        this.errors = new ErrorRenderer(clock);
        this.writer = new ResponseWriter(clock);
        EntityRoutes entities = new EntityRoutes(tables);
        TableRoutes routes = new TableRoutes(tables, entities, new BatchRoute(tables, entities, errors), clock);
        PolicyLookup policies =
                (account, table) -> tables.findTable(account, table).thenApply(found -> found.map(Table::policies));
        this.pipeline = new RequestPipeline(
                accounts, new Authenticator(accounts, clock, explainRefusals), policies, tables, routes, errors);
    }

    /** The part of it that one event loop runs; to be called on that loop. */
    public HttpFrontEnd newFrontEnd() {
        return new HttpFrontEnd(vertx, pipeline, errors, accounts, ids, writer, bufferedBytes);
    }
}
