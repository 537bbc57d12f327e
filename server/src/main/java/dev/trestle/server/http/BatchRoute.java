package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.TableName;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.Operation;
import dev.trestle.server.auth.QueryParameters;
import dev.trestle.server.protocol.BatchReader;
import dev.trestle.server.protocol.BatchReader.Batch;
import dev.trestle.server.protocol.BatchReader.Part;
import dev.trestle.server.protocol.BatchWriter;
import dev.trestle.server.protocol.BatchWriter.Answer;
import dev.trestle.server.protocol.Documents;
import dev.trestle.server.protocol.MetadataLevel;
import dev.trestle.server.protocol.ResourcePath;
import dev.trestle.server.protocol.WireBuffer;
import dev.trestle.server.throttle.Throttle;
import dev.trestle.table.EntityWrite;
import dev.trestle.table.Table;
import dev.trestle.table.TableService;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Entity group transactions: a change set that applies as one, or a single read. */
final class BatchRoute {
    private final TableService tables;
    private final EntityRoutes entities;
    private final ErrorRenderer errors;
    private final Throttle throttle;

    BatchRoute(TableService tables, EntityRoutes entities, ErrorRenderer errors, Throttle throttle) {
        this.tables = tables;
        this.entities = entities;
        this.errors = errors;
        this.throttle = throttle;
    }

    CompletionStage<Response> serve(Request request, Grant grant, String verb) {
        TableRoutes.allow(verb, "POST");
        request.trace().begin(OperationName.ENTITY_GROUP_TRANSACTION);
        Batch batch = BatchReader.read(
                request.header("Content-Type").orElse(""), request.body(), request.bodyOffset(), request.bodyLength());
        CompletionStage<List<Answer>> answers;
        try {
            answers = batch.changeSet()
                    ? transact(request, grant, batch.parts())
                    : read(request, grant, batch.parts().get(0));
        } catch (StorageException e) {
            answers = CompletableFuture.failedFuture(e);
        }
        return answers.exceptionally(failure -> List.of(failed(request, batch.parts(), failure(request, failure))))
                .thenApply(parts -> {
                    BatchWriter writer = new BatchWriter(parts.size());
                    WireBuffer body = batch.changeSet() ? writer.changeSet(parts) : writer.single(parts.get(0));
                    return Response.odata(202).body(writer.contentType(), body);
                });
    }

    private CompletionStage<List<Answer>> transact(Request request, Grant grant, List<Part> parts) {
        List<EntityRequest> asked = new ArrayList<>(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            int index = i;
            asked.add(atOperation(index, () -> entityRequest(request, parts.get(index))));
        }
        TableName name = atOperation(0, () -> new TableName(asked.get(0).path().name()));
        request.trace().table(name);
        return tables.table(request.account(), name)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        ErrorRenderer.answerFor(failure, request.id()).at(0)))
                .thenCompose(table -> transact(request, grant, table, parts, asked));
    }

    private CompletionStage<List<Answer>> transact(
            Request request, Grant grant, Table table, List<Part> parts, List<EntityRequest> asked) {
        List<EntityWrite> writes = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            EntityRequest operation = asked.get(i);
            writes.add(atOperation(i, () -> {
                if (!new TableName(operation.path().name())
                        .folded()
                        .equals(table.name().folded())) {
                    throw new StorageException(StorageError.INVALID_INPUT);
                }
                if (operation.operation() == Operation.QUERY_ENTITIES) {
                    throw new StorageException(StorageError.INVALID_INPUT);
                }
                grant.check(operation.operation(), Optional.of(table.name()));
                EntityWrite write = operation.toWrite(() -> {});
                grant.checkKey(write.key());
                return write;
            }));
        }
        throttle.entities(table.id(), writes.get(0).key().partitionKey(), writes.size());
        return tables.transact(table, writes).thenApply(version -> {
            List<Answer> answers = new ArrayList<>(writes.size());
            for (int i = 0; i < writes.size(); i++) {
                answers.add(written(request, table, parts.get(i), asked.get(i), writes.get(i), version));
            }
            return answers;
        });
    }

    private static Answer written(
            Request request, Table table, Part part, EntityRequest asked, EntityWrite write, long version) {
        Prefer prefer = asked.prefer();
        int status = EntityRoutes.status(write, prefer);
        List<Map.Entry<String, String>> headers = new ArrayList<>(8);
        part.header("content-id").ifPresent(id -> headers.add(Map.entry("Content-ID", id)));
        Optional<byte[]> body = Optional.empty();
        boolean insert = write.kind() == EntityWrite.Kind.INSERT;
        if (status == 201) {
            MetadataLevel level = level(part);
            headers.add(Map.entry("DataServiceVersion", "3.0;"));
            headers.add(Map.entry("Content-Type", level.contentType()));
            body = Optional.of(
                    EntityRoutes.inserted(request, table, level, write, version).toBytes());
        }
        headers.add(Map.entry("X-Content-Type-Options", "nosniff"));
        headers.add(Map.entry("Cache-Control", "no-cache"));
        if (insert) {
            prefer.applied((name, value) -> headers.add(Map.entry(name, value)));
        }
        if (status == 204) {
            headers.add(Map.entry("DataServiceVersion", insert ? "3.0;" : "1.0;"));
        }
        EntityRoutes.written(table, write, prefer, request.address().baseUrl(), version, (name, value) -> {
            if (!name.equals("Preference-Applied")) {
                headers.add(Map.entry(name, value));
            }
        });
        return new Answer(status, ErrorRenderer.reason(status), headers, body);
    }

    /** A read outside of a change set: an entity, or a query. */
    private CompletionStage<List<Answer>> read(Request request, Grant grant, Part part) {
        if (!part.method().equals("GET")) {
            throw new StorageException(StorageError.INVALID_INPUT).at(0);
        }
        String resource = resource(request, part.target());
        Request read = request.read(resource, query(part), part.headers());
        return atOperation(0, () -> entities.serve(read, grant, "GET", ResourcePath.parse(resource)))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        ErrorRenderer.answerFor(failure, request.id()).at(0)))
                .thenApply(response -> {
                    List<Map.Entry<String, String>> headers = new ArrayList<>();
                    part.header("content-id").ifPresent(id -> headers.add(Map.entry("Content-ID", id)));
                    headers.add(Map.entry("DataServiceVersion", "3.0;"));
                    headers.addAll(response.headers());
                    byte[] body = Arrays.copyOf(response.body(), response.bodyLength());
                    return List.of(new Answer(200, ErrorRenderer.reason(200), headers, Optional.of(body)));
                });
    }

    /** What went wrong, unless it is to be answered for the batch as a whole. */
    private static StorageException failure(Request request, Throwable failure) {
        StorageException answer = ErrorRenderer.answerFor(failure, request.id());
        if (answer.error().category() == StorageError.Category.OVERLOAD) {
            // Clients try again by the status of the whole answer alone; within a batch they take it for a refusal.
            throw answer;
        }
        request.trace().failed(answer.error());
        return answer;
    }

    /** The one answer that a failed batch has: that of the operation at fault, whose index leads the message. */
    private Answer failed(Request request, List<Part> parts, StorageException answer) {
        int index = answer.operation().orElse(0);
        // Seen in the service: what the stored data refuse to a change set of one operation has no index.
        boolean fromStore = switch (answer.error()) {
            case ENTITY_ALREADY_EXISTS, UPDATE_CONDITION_NOT_SATISFIED, RESOURCE_NOT_FOUND -> true;
            default -> false;
        };
        boolean indexed =
                parts.size() > 1 || !fromStore || parts.get(0).method().equals("GET");
        String text = indexed ? index + ":" + answer.text() : answer.text();
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        Part failed = parts.get(Math.min(index, parts.size() - 1));
        failed.header("content-id").ifPresent(id -> headers.add(Map.entry("Content-ID", id)));
        headers.add(Map.entry("X-Content-Type-Options", "nosniff"));
        headers.add(Map.entry("Cache-Control", "no-cache"));
        if (failed.method().equals("POST")) {
            Prefer.of(failed.header("prefer")).applied((name, value) -> headers.add(Map.entry(name, value)));
        }
        headers.add(Map.entry("DataServiceVersion", "3.0;"));
        headers.add(Map.entry("Content-Type", MetadataLevel.MINIMAL.contentType()));
        byte[] body = Documents.jsonError(answer, errors.message(text, request.id()));
        int status = answer.error().status();
        return new Answer(status, ErrorRenderer.reason(status), headers, Optional.of(body));
    }

    private static MetadataLevel level(Part part) {
        return MetadataLevel.negotiate(query(part).find("$format"), part.header("accept"));
    }

    private static QueryParameters query(Part part) {
        int question = part.target().indexOf('?');
        return question < 0
                ? QueryParameters.NONE
                : QueryParameters.parse(part.target().substring(question + 1));
    }

    private static EntityRequest entityRequest(Request request, Part part) {
        Optional<String> tunnelled = part.header("x-http-method");
        String verb =
                tunnelled.isPresent() ? Request.tunnelledVerb(part.method(), List.of(tunnelled.get())) : part.method();
        return new EntityRequest(
                request.account(),
                verb,
                ResourcePath.parse(resource(request, part.target())),
                name -> part.header(name.toLowerCase(Locale.ROOT)),
                request.body(),
                part.bodyOffset(),
                part.bodyLength());
    }

    /** The path behind the account, whichever host the address names and whether it is absolute or not. */
    private static String resource(Request request, String target) {
        String path = target;
        int scheme = path.indexOf("://");
        int question = path.indexOf('?');
        if (question >= 0) {
            path = path.substring(0, question);
        }
        if (scheme >= 0 && (question < 0 || scheme < question)) {
            int slash = path.indexOf('/', scheme + 3);
            path = slash < 0 ? "/" : path.substring(slash);
        }
        if (!path.startsWith("/")) {
            path = "/" + path;
        }
        boolean pathStyle =
                !request.address().rawPath().equals(request.address().rawResource());
        if (pathStyle) {
            for (String account : List.of(request.account(), request.account() + "-secondary")) {
                if (path.startsWith("/" + account + "/")) {
                    return path.substring(account.length() + 1);
                }
            }
        }
        return path;
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
