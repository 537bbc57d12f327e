package dev.trestle.server.pipeline;

import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.auth.Permission;
import dev.trestle.server.codec.ServicePropertiesXml;
import dev.trestle.server.codec.XmlWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The operations that all services share: service properties and service statistics. */
public final class ServicePropertiesHandlers {
    private final Catalogue catalogue;
    private final InstantSource clock;

    public ServicePropertiesHandlers(Catalogue catalogue, InstantSource clock) {
        this.catalogue = catalogue;
        this.clock = clock;
    }

    /**
     * Declares these operations for a service.
     *
     * @param resource the kind of resource of {@code restype=service}
     * @param handlers returns these handlers from those of the service
     * @param bodyBytesMax the maximum length of the properties document
     */
    public static <H, C extends Call> void declare(
            OperationTable.Builder<H, C> table,
            Enum<?> resource,
            Function<H, ServicePropertiesHandlers> handlers,
            int bodyBytesMax) {
        String word = Operation.capitalized(table.service().word());
        table.operation("GetServiceProperties")
                .at(resource, "GET", "HEAD")
                .comp("properties")
                .needs(Permission.onService("r"))
                .collects(bodyBytesMax)
                .loggedAs("Get" + word + "ServiceProperties")
                .servedBy((of, call) -> handlers.apply(of).getProperties(call.request()));
        table.operation("SetServiceProperties")
                .at(resource, "PUT")
                .comp("properties")
                .needs(Permission.onService("w"))
                .collects(bodyBytesMax)
                .loggedAs("Set" + word + "ServiceProperties")
                .servedBy((of, call) -> handlers.apply(of).setProperties(call.request()));
        table.operation("GetServiceStats")
                .at(resource, "GET", "HEAD")
                .comp("stats")
                .needs(Permission.onService("r"))
                .collects(bodyBytesMax)
                .loggedAs("Get" + word + "ServiceStats")
                .servedBy((of, call) -> handlers.apply(of).getStats(call.request()));
    }

    private CompletionStage<Response> getProperties(Request request) {
        return catalogue
                .properties(request.account())
                .thenApply(
                        properties -> new Response(200).body("application/xml", write(request.service(), properties)));
    }

    private CompletionStage<Response> setProperties(Request request) {
        return catalogue
                .properties(request.account())
                .thenCompose(before -> catalogue.setProperties(request.account(), read(request, before)))
                .thenApply(done -> new Response(202));
    }

    private static byte[] write(Service service, ServiceProperties properties) {
        return service == Service.BLOB
                ? ServicePropertiesXml.writeForBlobs(properties)
                : ServicePropertiesXml.write(properties);
    }

    private static ServiceProperties read(Request request, ServiceProperties before) {
        return request.service() == Service.BLOB
                ? ServicePropertiesXml.readForBlobs(before, request.body(), 0, request.bodyLength())
                : ServicePropertiesXml.read(before, request.body(), 0, request.bodyLength());
    }

    private CompletionStage<Response> getStats(Request request) {
        if (!request.address().secondary()) {
            throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
        return CompletableFuture.completedFuture(new Response(200).body("application/xml", stats(clock.instant())));
    }

    /**
     * Encodes the statistics document. An acknowledged write is already durable everywhere, so the last sync time is
     * now.
     */
    public static byte[] stats(Instant now) {
        return new XmlWriter(true)
                .open("StorageServiceStats")
                .open("GeoReplication")
                .element("Status", "live")
                .element("LastSyncTime", Ticks.formatHttp(Ticks.of(now)))
                .close("GeoReplication")
                .close("StorageServiceStats")
                .toBytes();
    }
}
