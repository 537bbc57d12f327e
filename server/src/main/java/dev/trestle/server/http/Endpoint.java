package dev.trestle.server.http;

import dev.trestle.blob.BlobService;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.model.QueueName;
import dev.trestle.model.TableName;
import dev.trestle.queue.QueueInfo;
import dev.trestle.queue.QueueService;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Authenticator;
import dev.trestle.server.auth.PolicyLookup;
import dev.trestle.server.auth.jwt.TokenVerifier;
import dev.trestle.server.throttle.Throttle;
import dev.trestle.table.Table;
import dev.trestle.table.TableService;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** One service behind HTTP: everything a request of it passes, put together. */
public final class Endpoint {
    private final Chassis chassis;
    private final RequestPipeline pipeline;
    private final ErrorRenderer errors;
    private final RequestIds ids;
    private final ResponseWriter writer;

    /**
     * What all services of a server share.
     *
     * @param explainRefusals whether a refusal says which check failed
     * @param tokens what bearer tokens are checked by, if any are accepted
     * @param tenant where those without credentials are sent for a token
     */
    public record Chassis(
            Vertx vertx,
            Accounts accounts,
            InstantSource clock,
            boolean explainRefusals,
            Optional<TokenVerifier> tokens,
            UUID tenant,
            TimeLimits times,
            Throttle throttle,
            ServerLoad load,
            RequestObserver observer) {}

    private Endpoint(
            Service service,
            Chassis chassis,
            ErrorRenderer errors,
            RequestIds ids,
            PolicyLookup policies,
            Catalogue catalogue,
            Function<RequestPipeline, Routes> routes) {
        this.chassis = chassis;
        this.ids = ids;
        this.errors = errors;
        boolean sendsFiles = ((VertxInternal) chassis.vertx).transport().supportFileRegion();
        this.writer = new ResponseWriter(chassis.clock, sendsFiles);
        this.pipeline = new RequestPipeline(
                service,
                chassis.accounts,
                authenticator(chassis),
                policies,
                catalogue::properties,
                routes,
                errors,
                chassis.throttle);
    }

    public static Endpoint of(TableService tables, Catalogue catalogue, Chassis chassis) {
        ErrorRenderer errors = new ErrorRenderer(chassis.clock, chassis.tenant);
        EntityRoutes entities = new EntityRoutes(tables, chassis.throttle, chassis.load);
        BatchRoute batches =
                new BatchRoute(tables, entities, errors, new PartTarget(chassis.accounts), chassis.throttle);
        return new Endpoint(
                Service.TABLE,
                chassis,
                errors,
                newIds(),
                (account, table) ->
                        tables.findTable(account, new TableName(table)).thenApply(found -> found.map(Table::policies)),
                catalogue,
                pipeline -> new TableRoutes(tables, entities, batches, new ServiceDocuments(catalogue, chassis.clock)));
    }

    public static Endpoint of(QueueService queues, Catalogue catalogue, Chassis chassis) {
        return new Endpoint(
                Service.QUEUE,
                chassis,
                new ErrorRenderer(chassis.clock, chassis.tenant),
                newIds(),
                (account, queue) ->
                        queues.find(account, new QueueName(queue)).thenApply(found -> found.map(QueueInfo::policies)),
                catalogue,
                pipeline -> new QueueRoutes(
                        queues,
                        new MessageRoutes(queues, chassis.clock),
                        new ServiceDocuments(catalogue, chassis.clock)));
    }

    /**
     * The Blob service.
     *
     * @param publicAccess whether containers may be opened to everybody
     */
    public static Endpoint of(BlobService blobs, Catalogue catalogue, boolean publicAccess, Chassis chassis) {
        PolicyLookup policies = new ContainerPolicies(blobs.containers());
        CopySources sources = new CopySources(chassis.accounts, authenticator(chassis), policies);
        TagRoutes tags = new TagRoutes(blobs);
        RequestIds ids = newIds();
        return new Endpoint(
                Service.BLOB,
                chassis,
                new ErrorRenderer(chassis.clock, chassis.tenant),
                ids,
                policies,
                catalogue,
                pipeline -> new BlobRoutes(
                        new ContainerRoutes(blobs, tags, publicAccess),
                        new BlobReads(blobs, tags),
                        new BlobWrites(blobs, tags, sources),
                        tags,
                        new DelegationRoute(chassis.accounts, chassis.clock),
                        new ServiceDocuments(catalogue, chassis.clock),
                        new BlobBatchRoute(pipeline, ids, chassis.observer)));
    }

    private static Authenticator authenticator(Chassis chassis) {
        return new Authenticator(chassis.accounts, chassis.clock, chassis.explainRefusals, chassis.tokens);
    }

    /** A service made of its parts. */
    static Endpoint of(Service service, Routes routes, PolicyLookup policies, Catalogue catalogue, Chassis chassis) {
        return new Endpoint(
                service,
                chassis,
                new ErrorRenderer(chassis.clock, chassis.tenant),
                newIds(),
                policies,
                catalogue,
                pipeline -> routes);
    }

    private static RequestIds newIds() {
        return new RequestIds(new SecureRandom());
    }

    /** The part of it that one event loop runs; to be called on that loop. */
    public HttpFrontEnd newFrontEnd() {
        InFlightRequests underWay =
                new InFlightRequests(pipeline, writer, chassis.load, chassis.times, chassis.observer);
        return new HttpFrontEnd(chassis.vertx, errors, chassis.accounts, ids, underWay);
    }
}
