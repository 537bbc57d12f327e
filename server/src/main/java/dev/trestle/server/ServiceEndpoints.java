package dev.trestle.server;

import dev.trestle.blob.BlobService;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.model.QueueName;
import dev.trestle.model.TableName;
import dev.trestle.queue.QueueInfo;
import dev.trestle.queue.QueueService;
import dev.trestle.server.auth.PolicyLookup;
import dev.trestle.server.blob.BlobOperations;
import dev.trestle.server.blob.ContainerPolicies;
import dev.trestle.server.blob.CopySources;
import dev.trestle.server.http.ServiceEndpoint;
import dev.trestle.server.pipeline.ErrorFormat;
import dev.trestle.server.pipeline.ErrorRenderer;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.RequestIds;
import dev.trestle.server.pipeline.RequestPipeline;
import dev.trestle.server.pipeline.ServiceOperations;
import dev.trestle.server.pipeline.XmlErrorFormat;
import dev.trestle.server.queue.QueueOperations;
import dev.trestle.server.table.ODataErrorFormat;
import dev.trestle.server.table.TableOperations;
import dev.trestle.table.Table;
import dev.trestle.table.TableService;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Function;

/** Creates the HTTP endpoint of each service from its operations, its pipeline and the transport. */
final class ServiceEndpoints {
    private final ServerContext context;
    private final Vertx vertx;

    /** @param vertx the event loops of the services */
    ServiceEndpoints(ServerContext context, Vertx vertx) {
        this.context = context;
        this.vertx = vertx;
    }

    ServiceEndpoint table(TableService tables, Catalogue catalogue) {
        ServiceOperations operations = new TableOperations(
                tables, catalogue, context.accounts(), context.clock(), context.throttle(), context.load());
        return endpoint(
                Service.TABLE,
                new ODataErrorFormat(),
                newIds(),
                (account, table) ->
                        tables.findTable(account, new TableName(table)).thenApply(found -> found.map(Table::policies)),
                catalogue,
                pipeline -> operations);
    }

    ServiceEndpoint queue(QueueService queues, Catalogue catalogue) {
        ServiceOperations operations = new QueueOperations(queues, catalogue, context.clock());
        return endpoint(
                Service.QUEUE,
                new XmlErrorFormat(),
                newIds(),
                (account, queue) ->
                        queues.find(account, new QueueName(queue)).thenApply(found -> found.map(QueueInfo::policies)),
                catalogue,
                pipeline -> operations);
    }

    /** @param publicAccess whether containers may allow anonymous reads */
    ServiceEndpoint blob(BlobService blobs, Catalogue catalogue, boolean publicAccess) {
        PolicyLookup policies = new ContainerPolicies(blobs.containers());
        CopySources sources = new CopySources(context.accounts(), context.newAuthenticator(), policies);
        RequestIds ids = newIds();
        return endpoint(
                Service.BLOB,
                new XmlErrorFormat(),
                ids,
                policies,
                catalogue,
                pipeline -> new BlobOperations(
                        blobs,
                        catalogue,
                        context.accounts(),
                        context.clock(),
                        publicAccess,
                        sources,
                        pipeline,
                        ids,
                        context.observer()));
    }

    /** Creates an endpoint from its parts. */
    ServiceEndpoint endpoint(
            Service service,
            ErrorFormat format,
            RequestIds ids,
            PolicyLookup policies,
            Catalogue catalogue,
            Function<RequestPipeline, ServiceOperations> operations) {
        ErrorRenderer errors = new ErrorRenderer(format, context.clock(), context.tenant());
        RequestPipeline pipeline = new RequestPipeline(
                service,
                context.accounts(),
                context.newAuthenticator(),
                policies,
                catalogue::properties,
                operations,
                errors,
                context.throttle());
        return new ServiceEndpoint(
                vertx,
                pipeline,
                errors,
                context.accounts(),
                ids,
                context.load(),
                context.times(),
                context.observer(),
                context.clock(),
                context.nanoTime());
    }

    /** Returns all operations of a service. */
    static List<Operation<?, ?>> operations(Service service) {
        return List.copyOf(
                switch (service) {
                    case TABLE -> TableOperations.all();
                    case QUEUE -> QueueOperations.all();
                    case BLOB -> BlobOperations.all();
                });
    }

    static RequestIds newIds() {
        return new RequestIds(new SecureRandom());
    }
}
