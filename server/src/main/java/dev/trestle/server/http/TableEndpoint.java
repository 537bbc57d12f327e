package dev.trestle.server.http;

import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Authenticator;
import dev.trestle.server.auth.PolicyLookup;
import dev.trestle.table.Table;
import dev.trestle.table.TableService;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.security.SecureRandom;
import java.time.InstantSource;

/** The Table service behind HTTP: everything a request of it passes, put together. */
public final class TableEndpoint {
    private final HttpFrontEnd frontEnd;

    public TableEndpoint(
            Vertx vertx, TableService tables, Accounts accounts, InstantSource clock, boolean explainRefusals) {
        ErrorRenderer errors = new ErrorRenderer(clock);
        EntityRoutes entities = new EntityRoutes(tables);
        TableRoutes routes = new TableRoutes(tables, entities, new BatchRoute(tables, entities, errors), clock);
        PolicyLookup policies =
                (account, table) -> tables.findTable(account, table).thenApply(found -> found.map(Table::policies));
        RequestPipeline pipeline = new RequestPipeline(
                new Authenticator(accounts, clock, explainRefusals), policies, tables, routes, errors);
        frontEnd = new HttpFrontEnd(vertx, pipeline, errors, accounts, new RequestIds(new SecureRandom()), clock);
    }

    public void handle(HttpServerRequest request) {
        frontEnd.handle(request);
    }

    /** Requests that have begun and are not answered yet. */
    public int underWay() {
        return frontEnd.underWay();
    }
}
