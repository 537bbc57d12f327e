package dev.trestle.server.http;

import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.Operation;
import dev.trestle.server.protocol.Documents;
import dev.trestle.server.protocol.ServicePropertiesXml;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The operations on a service as a whole, which all services have: its properties and its statistics. */
final class ServiceDocuments {
    private final Catalogue catalogue;
    private final InstantSource clock;

    ServiceDocuments(Catalogue catalogue, InstantSource clock) {
        this.catalogue = catalogue;
        this.clock = clock;
    }

    /** Answers a request to {@code ?restype=service&comp=...}, or nothing when it is for none of them. */
    Optional<CompletionStage<Response>> serve(Request request, Grant grant, String verb, String comp) {
        boolean read = verb.equals("GET") || verb.equals("HEAD");
        if (comp.equals("properties") && read) {
            return Optional.of(getProperties(request, grant));
        } else if (comp.equals("properties") && verb.equals("PUT")) {
            return Optional.of(setProperties(request, grant));
        } else if (comp.equals("stats") && read) {
            return Optional.of(getStats(request, grant));
        } else if (comp.equals("properties") || comp.equals("stats")) {
            throw new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
        }
        return Optional.empty();
    }

    private CompletionStage<Response> getProperties(Request request, Grant grant) {
        request.trace().begin(OperationName.GET_SERVICE_PROPERTIES);
        grant.check(Operation.GET_SERVICE_PROPERTIES, Optional.empty());
        return catalogue
                .properties(request.account())
                .thenApply(
                        properties -> new Response(200).body("application/xml", write(request.service(), properties)));
    }

    private CompletionStage<Response> setProperties(Request request, Grant grant) {
        request.trace().begin(OperationName.SET_SERVICE_PROPERTIES);
        grant.check(Operation.SET_SERVICE_PROPERTIES, Optional.empty());
        return catalogue
                .properties(request.account())
                .thenCompose(before -> catalogue.setProperties(request.account(), read(request, before)))
                .thenApply(done -> new Response(202));
    }

    private static byte[] write(Service service, ServiceProperties properties) {
        return service == Service.BLOB
                ? ServicePropertiesXml.writeOfBlobs(properties)
                : ServicePropertiesXml.write(properties);
    }

    private static ServiceProperties read(Request request, ServiceProperties before) {
        return request.service() == Service.BLOB
                ? ServicePropertiesXml.readOfBlobs(before, request.body(), request.bodyOffset(), request.bodyLength())
                : ServicePropertiesXml.read(before, request.body(), request.bodyOffset(), request.bodyLength());
    }

    private CompletionStage<Response> getStats(Request request, Grant grant) {
        request.trace().begin(OperationName.GET_SERVICE_STATS);
        grant.check(Operation.GET_SERVICE_STATS, Optional.empty());
        if (!request.address().secondary()) {
            throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
        return CompletableFuture.completedFuture(
                new Response(200).body("application/xml", Documents.stats(clock.instant())));
    }
}
