package dev.trestle.server.table;

import dev.trestle.model.ETag;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.TableName;
import dev.trestle.server.admission.Throttle;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.codec.BatchReader;
import dev.trestle.server.codec.BatchReader.Batch;
import dev.trestle.server.codec.BatchReader.Part;
import dev.trestle.server.codec.WireBuffer;
import dev.trestle.server.pipeline.ErrorRenderer;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.Response;
import dev.trestle.server.table.json.MetadataLevel;
import dev.trestle.table.EntityWrite;
import dev.trestle.table.Table;
import dev.trestle.table.TableService;
import io.netty.buffer.ByteBufUtil;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The handler of entity group transactions: an atomic change set, or a single read. */
final class BatchHandler {
    private final TableService tables;
    private final InstantSource clock;
    private final PartTarget targets;
    private final Throttle throttle;

    BatchHandler(TableService tables, InstantSource clock, PartTarget targets, Throttle throttle) {
        this.tables = tables;
        this.clock = clock;
        this.targets = targets;
        this.throttle = throttle;
    }

    /** @param handlers the handlers of the service, for the read of a batch without a change set */
    CompletionStage<Response> transact(TableOperations.Handlers handlers, TableCall call) {
        Request request = call.request();
        Grant grant = call.grant();
        Batch batch =
                BatchReader.read(request.header("Content-Type").orElse(""), request.body(), 0, request.bodyLength());
        CompletionStage<BatchWriter> response;
        try {
            response = batch.changeSet()
                    ? transact(request, grant, batch.parts())
                    : read(handlers, request, grant, batch.parts().get(0));
        } catch (StorageException e) {
            response = CompletableFuture.failedFuture(e);
        }
        return response.exceptionally(failure -> failed(request, batch, failure(request, failure)))
                .thenApply(written -> Response.odata(202).body(written.contentType(), written.end()));
    }

    private CompletionStage<BatchWriter> transact(Request request, Grant grant, List<Part> parts) {
        List<EntityRequest> requested = new ArrayList<>(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            // Parts with the same request line have the same path, as all inserts into a table do.
            Optional<ResourcePath> known =
                    i > 0 && part.line().equals(parts.get(i - 1).line())
                            ? Optional.of(requested.get(i - 1).path())
                            : Optional.empty();
            requested.add(atOperation(
                    i,
                    () -> entityRequest(
                            request,
                            part,
                            known.orElseGet(() -> ResourcePath.parse(targets.resource(request, part.target()))))));
        }
        TableName name =
                atOperation(0, () -> new TableName(requested.get(0).path().name()));
        request.trace().resource(name.value());
        // Authorized before the table is looked up, so that an error does not reveal whether it exists.
        atOperation(0, () -> {
            authorize(request, grant, name, requested.get(0));
            return name;
        });
        return tables.table(request.account(), name)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        ErrorRenderer.toError(failure, request.id()).at(0)))
                .thenCompose(table -> transact(request, grant, table, parts, requested));
    }

    private CompletionStage<BatchWriter> transact(
            Request request, Grant grant, Table table, List<Part> parts, List<EntityRequest> requested) {
        List<EntityWrite> writes = new ArrayList<>(requested.size());
        for (int i = 0; i < requested.size(); i++) {
            EntityRequest operation = requested.get(i);
            boolean sameTable =
                    i > 0 && operation.path().equals(requested.get(i - 1).path());
            writes.add(atOperation(i, () -> toWrite(request, operation, grant, table, sameTable)));
        }
        throttle.entities(table.id(), writes.get(0).key().partitionKey(), writes.size());
        return tables.transact(table, writes).thenApply(version -> {
            BatchWriter response = new BatchWriter(true, writes.size());
            String etag = ETag.format(version);
            for (int i = 0; i < writes.size(); i++) {
                EntityWrite write = writes.get(i);
                written(request, table, parts.get(i), requested.get(i), write, version, etag, response);
            }
            return response;
        });
    }

    private static void authorize(Request request, Grant grant, TableName table, EntityRequest operation) {
        Operation<?, ?> requested =
                TableOperations.entityOperation(request, operation.verb(), operation.path(), operation.hasIfMatch());
        requested.authorize(request, grant, Optional.of(table.folded()), table.isOfTheService());
    }

    private static EntityWrite toWrite(
            Request request, EntityRequest operation, Grant grant, Table table, boolean sameTable) {
        if (!sameTable
                && !new TableName(operation.path().name())
                        .folded()
                        .equals(table.name().folded())) {
            throw new StorageException(StorageError.INVALID_INPUT);
        }
        if (operation.verb().equals("GET")) {
            throw new StorageException(StorageError.INVALID_INPUT);
        }
        authorize(request, grant, table.name(), operation);
        EntityWrite write = operation.toWrite(() -> {});
        grant.checkKey(write.key());
        return write;
    }

    private static void written(
            Request request,
            Table table,
            Part part,
            EntityRequest requested,
            EntityWrite write,
            long version,
            String etag,
            BatchWriter response) {
        Prefer prefer = requested.prefer();
        int status = EntityHandlers.status(write, prefer);
        boolean insert = write.kind() == EntityWrite.Kind.INSERT;
        response.part(status, ErrorRenderer.reason(status));
        part.header("content-id").ifPresent(id -> response.header("Content-ID", id));
        MetadataLevel level = MetadataLevel.MINIMAL;
        if (status == 201) {
            level = level(part);
            response.header("DataServiceVersion", "3.0;").header("Content-Type", level.contentType());
        }
        response.header("X-Content-Type-Options", "nosniff").header("Cache-Control", "no-cache");
        if (insert) {
            prefer.applied(response::header);
        }
        if (status == 204) {
            response.header("DataServiceVersion", insert ? "3.0;" : "1.0;");
        }
        EntityHandlers.written(table, write, prefer, request.address().baseUrl(), etag, response::header);
        if (status == 201) {
            WireBuffer entity = EntityHandlers.inserted(request, table, level, write, version);
            response.body(entity.data(), entity.length());
        } else {
            response.noBody();
        }
    }

    /** Executes a read outside of a change set: of an entity, or a query. */
    private CompletionStage<BatchWriter> read(
            TableOperations.Handlers handlers, Request request, Grant grant, Part part) {
        if (!part.method().equals("GET")) {
            throw new StorageException(StorageError.INVALID_INPUT).at(0);
        }
        String resource = atOperation(0, () -> targets.resource(request, part.target()));
        Request read = request.readInBatch(
                request.address().withResource(resource, PartTarget.query(part.target())), part.headers());
        return atOperation(0, () -> read(handlers, read, grant, ResourcePath.parse(resource)))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        ErrorRenderer.toError(failure, request.id()).at(0)))
                .thenApply(response -> {
                    BatchWriter writer = new BatchWriter(false, 1).part(200, ErrorRenderer.reason(200));
                    part.header("content-id").ifPresent(id -> writer.header("Content-ID", id));
                    writer.header("DataServiceVersion", "3.0;");
                    response.headers().forEach(header -> writer.header(header.getKey(), header.getValue()));
                    writer.body(ByteBufUtil.getBytes(response.buffered().whole()), (int)
                            response.buffered().length());
                    response.discard();
                    return writer;
                });
    }

    private static CompletionStage<Response> read(
            TableOperations.Handlers handlers, Request read, Grant grant, ResourcePath path) {
        TableName name = new TableName(path.name());
        Operation<TableOperations.Handlers, TableCall> operation =
                TableOperations.entityOperation(read, "GET", path, false);
        read.trace().resource(name.value());
        operation.authorize(read, grant, Optional.of(name.folded()), name.isOfTheService());
        return operation.call(handlers, new TableCall(read, grant, "GET", path, Optional.of(name)));
    }

    /** Returns the error of the failed operation; throws it if it applies to the whole batch. */
    private static StorageException failure(Request request, Throwable failure) {
        StorageException response = ErrorRenderer.toError(failure, request.id());
        if (response.error().category() == StorageError.Category.OVERLOAD) {
            // Clients retry by the status of the whole response; in a part, they treat it as a permanent failure.
            throw response;
        }
        request.trace().failed(response.error());
        return response;
    }

    /** Writes the only part of a failed batch: the error of the failed operation, with its index in the message. */
    private BatchWriter failed(Request request, Batch batch, StorageException failure) {
        List<Part> parts = batch.parts();
        int index = failure.operation().orElse(0);
        // As in the service: errors that depend on stored data have no index in a change set of one operation.
        boolean fromStore = switch (failure.error()) {
            case ENTITY_ALREADY_EXISTS, UPDATE_CONDITION_NOT_SATISFIED, RESOURCE_NOT_FOUND -> true;
            default -> false;
        };
        boolean indexed =
                parts.size() > 1 || !fromStore || parts.get(0).method().equals("GET");
        String text = indexed ? index + ":" + failure.text() : failure.text();
        Part failed = parts.get(Math.min(index, parts.size() - 1));
        int status = failure.error().status();
        BatchWriter response = new BatchWriter(batch.changeSet(), 1).part(status, ErrorRenderer.reason(status));
        failed.header("content-id").ifPresent(id -> response.header("Content-ID", id));
        response.header("X-Content-Type-Options", "nosniff").header("Cache-Control", "no-cache");
        if (failed.method().equals("POST")) {
            Prefer.of(failed.header("prefer")).applied(response::header);
        }
        response.header("DataServiceVersion", "3.0;").header("Content-Type", MetadataLevel.MINIMAL.contentType());
        byte[] body = TableDocuments.jsonError(failure, ErrorRenderer.message(clock, text, request.id()));
        response.body(body, body.length);
        return response;
    }

    private static MetadataLevel level(Part part) {
        return MetadataLevel.negotiate(PartTarget.query(part.target()).find("$format"), part.header("accept"));
    }

    private static EntityRequest entityRequest(Request request, Part part, ResourcePath path) {
        Optional<String> tunnelled = part.header("x-http-method");
        String verb = tunnelled.isPresent() ? TunnelledVerb.of(part.method(), List.of(tunnelled.get())) : part.method();
        return new EntityRequest(
                request.account(), verb, path, part::header, request.body(), part.bodyOffset(), part.bodyLength());
    }

    private interface Step<T> {
        T run();
    }

    /** Runs a step and adds the index of the operation to its error. */
    private static <T> T atOperation(int index, Step<T> step) {
        try {
            return step.run();
        } catch (StorageException e) {
            throw e.operation().isPresent() ? e : e.at(index);
        }
    }
}
