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

/** Entity group transactions: a change set that applies as one, or a single read. */
final class BatchHandler {
    private final TableService tables;
    private final EntityHandlers entities;
    private final InstantSource clock;
    private final PartTarget targets;
    private final Throttle throttle;

    BatchHandler(
            TableService tables, EntityHandlers entities, InstantSource clock, PartTarget targets, Throttle throttle) {
        this.tables = tables;
        this.entities = entities;
        this.clock = clock;
        this.targets = targets;
        this.throttle = throttle;
    }

    CompletionStage<Response> serve(TableCall call) {
        Request request = call.request();
        Grant grant = call.grant();
        Batch batch =
                BatchReader.read(request.header("Content-Type").orElse(""), request.body(), 0, request.bodyLength());
        CompletionStage<BatchWriter> answer;
        try {
            answer = batch.changeSet()
                    ? transact(request, grant, batch.parts())
                    : read(request, grant, batch.parts().get(0));
        } catch (StorageException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.exceptionally(failure -> failed(request, batch, failure(request, failure)))
                .thenApply(written -> Response.odata(202).body(written.contentType(), written.end()));
    }

    private CompletionStage<BatchWriter> transact(Request request, Grant grant, List<Part> parts) {
        List<EntityRequest> asked = new ArrayList<>(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            // Parts that begin alike go to the same place, which inserts into a table all do.
            Optional<ResourcePath> known =
                    i > 0 && part.line().equals(parts.get(i - 1).line())
                            ? Optional.of(asked.get(i - 1).path())
                            : Optional.empty();
            asked.add(atOperation(
                    i,
                    () -> entityRequest(
                            request,
                            part,
                            known.orElseGet(() -> ResourcePath.parse(targets.resource(request, part.target()))))));
        }
        TableName name = atOperation(0, () -> new TableName(asked.get(0).path().name()));
        request.trace().resource(name.value());
        // Asked before the table is looked for, since whoever may not use it need not learn whether it is there.
        atOperation(0, () -> {
            authorize(request, grant, name, asked.get(0));
            return name;
        });
        return tables.table(request.account(), name)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        ErrorRenderer.toError(failure, request.id()).at(0)))
                .thenCompose(table -> transact(request, grant, table, parts, asked));
    }

    private CompletionStage<BatchWriter> transact(
            Request request, Grant grant, Table table, List<Part> parts, List<EntityRequest> asked) {
        List<EntityWrite> writes = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            EntityRequest operation = asked.get(i);
            boolean sameTable =
                    i > 0 && operation.path().equals(asked.get(i - 1).path());
            writes.add(atOperation(i, () -> toWrite(request, operation, grant, table, sameTable)));
        }
        throttle.entities(table.id(), writes.get(0).key().partitionKey(), writes.size());
        return tables.transact(table, writes).thenApply(version -> {
            BatchWriter answer = new BatchWriter(true, writes.size());
            String etag = ETag.format(version);
            for (int i = 0; i < writes.size(); i++) {
                EntityWrite write = writes.get(i);
                written(request, table, parts.get(i), asked.get(i), write, version, etag, answer);
            }
            return answer;
        });
    }

    private static void authorize(Request request, Grant grant, TableName table, EntityRequest operation) {
        Operation<?, ?> asked =
                TableOperations.entityOperation(request, operation.verb(), operation.path(), operation.hasIfMatch());
        asked.authorize(request, grant, Optional.of(table.folded()), table.isOfTheService());
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
            EntityRequest asked,
            EntityWrite write,
            long version,
            String etag,
            BatchWriter answer) {
        Prefer prefer = asked.prefer();
        int status = EntityHandlers.status(write, prefer);
        boolean insert = write.kind() == EntityWrite.Kind.INSERT;
        answer.part(status, ErrorRenderer.reason(status));
        part.header("content-id").ifPresent(id -> answer.header("Content-ID", id));
        MetadataLevel level = MetadataLevel.MINIMAL;
        if (status == 201) {
            level = level(part);
            answer.header("DataServiceVersion", "3.0;").header("Content-Type", level.contentType());
        }
        answer.header("X-Content-Type-Options", "nosniff").header("Cache-Control", "no-cache");
        if (insert) {
            prefer.applied(answer::header);
        }
        if (status == 204) {
            answer.header("DataServiceVersion", insert ? "3.0;" : "1.0;");
        }
        EntityHandlers.written(table, write, prefer, request.address().baseUrl(), etag, answer::header);
        if (status == 201) {
            WireBuffer entity = EntityHandlers.inserted(request, table, level, write, version);
            answer.body(entity.data(), entity.length());
        } else {
            answer.noBody();
        }
    }

    /** A read outside of a change set: an entity, or a query. */
    private CompletionStage<BatchWriter> read(Request request, Grant grant, Part part) {
        if (!part.method().equals("GET")) {
            throw new StorageException(StorageError.INVALID_INPUT).at(0);
        }
        String resource = atOperation(0, () -> targets.resource(request, part.target()));
        Request read = request.readInBatch(
                request.address().withResource(resource, PartTarget.query(part.target())), part.headers());
        return atOperation(0, () -> read(read, grant, ResourcePath.parse(resource)))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        ErrorRenderer.toError(failure, request.id()).at(0)))
                .thenApply(response -> {
                    BatchWriter answer = new BatchWriter(false, 1).part(200, ErrorRenderer.reason(200));
                    part.header("content-id").ifPresent(id -> answer.header("Content-ID", id));
                    answer.header("DataServiceVersion", "3.0;");
                    response.headers().forEach(header -> answer.header(header.getKey(), header.getValue()));
                    answer.body(ByteBufUtil.getBytes(response.buffered().whole()), (int)
                            response.buffered().length());
                    response.discard();
                    return answer;
                });
    }

    private CompletionStage<Response> read(Request read, Grant grant, ResourcePath path) {
        TableName name = new TableName(path.name());
        Operation<?, ?> operation = TableOperations.entityOperation(read, "GET", path, false);
        read.trace().resource(name.value());
        operation.authorize(read, grant, Optional.of(name.folded()), name.isOfTheService());
        TableCall call = new TableCall(read, grant, "GET", path, Optional.of(name));
        return operation == TableOperations.QUERY_ENTITIES ? entities.query(call) : entities.get(call);
    }

    /** What went wrong, unless it is to be answered for the batch as a whole. */
    private static StorageException failure(Request request, Throwable failure) {
        StorageException answer = ErrorRenderer.toError(failure, request.id());
        if (answer.error().category() == StorageError.Category.OVERLOAD) {
            // Clients try again by the status of the whole answer alone; within a batch they take it for a refusal.
            throw answer;
        }
        request.trace().failed(answer.error());
        return answer;
    }

    /** The one answer that a failed batch has: that of the operation at fault, whose index leads the message. */
    private BatchWriter failed(Request request, Batch batch, StorageException failure) {
        List<Part> parts = batch.parts();
        int index = failure.operation().orElse(0);
        // Seen in the service: what the stored data refuse to a change set of one operation has no index.
        boolean fromStore = switch (failure.error()) {
            case ENTITY_ALREADY_EXISTS, UPDATE_CONDITION_NOT_SATISFIED, RESOURCE_NOT_FOUND -> true;
            default -> false;
        };
        boolean indexed =
                parts.size() > 1 || !fromStore || parts.get(0).method().equals("GET");
        String text = indexed ? index + ":" + failure.text() : failure.text();
        Part failed = parts.get(Math.min(index, parts.size() - 1));
        int status = failure.error().status();
        BatchWriter answer = new BatchWriter(batch.changeSet(), 1).part(status, ErrorRenderer.reason(status));
        failed.header("content-id").ifPresent(id -> answer.header("Content-ID", id));
        answer.header("X-Content-Type-Options", "nosniff").header("Cache-Control", "no-cache");
        if (failed.method().equals("POST")) {
            Prefer.of(failed.header("prefer")).applied(answer::header);
        }
        answer.header("DataServiceVersion", "3.0;").header("Content-Type", MetadataLevel.MINIMAL.contentType());
        byte[] body = TableDocuments.jsonError(failure, ErrorRenderer.message(clock, text, request.id()));
        answer.body(body, body.length);
        return answer;
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

    /** Names the operation in whatever the step refuses. */
    private static <T> T atOperation(int index, Step<T> step) {
        try {
            return step.run();
        } catch (StorageException e) {
            throw e.operation().isPresent() ? e : e.at(index);
        }
    }
}
