package dev.trestle.server.table;

import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.ETag;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.admission.Throttle;
import dev.trestle.server.codec.WireBuffer;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.Response;
import dev.trestle.server.table.json.EntityUrl;
import dev.trestle.server.table.json.EntityWriter;
import dev.trestle.server.table.json.MetadataLevel;
import dev.trestle.table.EntityPage;
import dev.trestle.table.EntityQuery;
import dev.trestle.table.EntityQuery.Continuation;
import dev.trestle.table.EntityWrite;
import dev.trestle.table.Table;
import dev.trestle.table.TableService;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** Handlers of the operations on entities. */
final class EntityHandlers {
    private static final String EXPLAIN = "x-trestle-explain";

    private final TableService tables;
    private final Throttle throttle;
    private final ServerLoad load;

    EntityHandlers(TableService tables, Throttle throttle, ServerLoad load) {
        this.tables = tables;
        this.throttle = throttle;
        this.load = load;
    }

    /** Executes an operation that writes one entity. */
    CompletionStage<Response> write(TableCall call) {
        Request request = call.request();
        return tables.table(call.account(), call.table()).thenCompose(table -> {
            EntityRequest requested = new EntityRequest(
                    call.account(), call.verb(), call.path(), request::header, request.body(), 0, request.bodyLength());
            MetadataLevel level = call.level();
            EntityWrite write = requested.toWrite(request.trace()::reachStore);
            call.grant().checkKey(write.key());
            throttle.entities(table.id(), write.key().partitionKey(), 1);
            return tables.transact(table, List.of(write))
                    .thenApply(version -> written(request, table, requested, level, write, version));
        });
    }

    private static Response written(
            Request request,
            Table table,
            EntityRequest requested,
            MetadataLevel level,
            EntityWrite write,
            long version) {
        Prefer prefer = requested.prefer();
        Response response = Response.odata(status(write, prefer));
        if (write.kind() == EntityWrite.Kind.INSERT) {
            prefer.applied(response::header);
        }
        written(table, write, prefer, request.address().baseUrl(), ETag.format(version), response::header);
        if (response.status() == 201) {
            response.body(level.contentType(), inserted(request, table, level, write, version));
        }
        return response;
    }

    static int status(EntityWrite write, Prefer prefer) {
        return write.kind() == EntityWrite.Kind.INSERT && !prefer.noContent() ? 201 : 204;
    }

    /** Adds the headers of a response to a write. */
    static void written(
            Table table,
            EntityWrite write,
            Prefer prefer,
            String baseUrl,
            String etag,
            BiConsumer<String, String> headers) {
        if (write.kind() == EntityWrite.Kind.INSERT) {
            String url = baseUrl + "/" + EntityUrl.of(table.name().value(), write.key());
            headers.accept("Location", url);
            if (prefer.noContent()) {
                headers.accept("DataServiceId", url);
            }
        }
        if (write.kind() != EntityWrite.Kind.DELETE) {
            headers.accept("ETag", etag);
        }
    }

    static WireBuffer inserted(Request request, Table table, MetadataLevel level, EntityWrite write, long version) {
        return writer(request, table, level, List.of()).one(table.key(write.key()), write.row(), version);
    }

    /** Executes a read of one entity. */
    CompletionStage<Response> get(TableCall call) {
        return tables.table(call.account(), call.table())
                .thenCompose(table -> get(call, table, call.path().entityKey(call.account())));
    }

    private CompletionStage<Response> get(TableCall call, Table table, EntityKey entity) {
        Request request = call.request();
        MetadataLevel level = call.level();
        List<String> select = QueryOptions.select(request);
        request.trace().reachStore();
        call.grant().checkKey(entity);
        throttle.entities(table.id(), entity.partitionKey(), 1);
        Key key = table.key(entity);
        return tables.read(key).thenApply(found -> {
            byte[] row = found.orElseThrow(() -> new StorageException(StorageError.RESOURCE_NOT_FOUND));
            return Response.odata(200)
                    .header("ETag", ETag.format(Rows.version(row)))
                    .body(
                            level.contentType(),
                            writer(request, table, level, select).one(key, row));
        });
    }

    /** Executes a query. */
    CompletionStage<Response> query(TableCall call) {
        return tables.table(call.account(), call.table()).thenCompose(table -> query(call, table));
    }

    private CompletionStage<Response> query(TableCall call, Table table) {
        Request request = call.request();
        QueryOptions.refuseUnsupported(request);
        MetadataLevel level = call.level();
        List<String> select = QueryOptions.select(request);
        Filter filter = FilterParser.parse(request.query("$filter").orElse(""));
        int top = QueryOptions.top(request);
        Optional<Continuation> continuation = QueryOptions.continuation(request);
        request.trace().reachStore();
        CompletionStage<EntityPage> found = load.page(bytes ->
                tables.query(table, new EntityQuery(filter, call.grant().scope(), select, top, continuation, bytes)));
        return found.thenApply(page -> {
            try (page) {
                return respond(request, table, level, select, page);
            }
        });
    }

    private Response respond(Request request, Table table, MetadataLevel level, List<String> select, EntityPage page) {
        request.trace().page(page);
        // The partition and the number of entities are known only now. An empty page costs as much as one entity.
        page.plan()
                .onlyPartition()
                .ifPresent(key -> throttle.entities(
                        table.id(), key, Math.max(1, page.rows().size())));
        EntityWriter writer = writer(request, table, level, select);
        Response response = Response.odata(200);
        response.body(level.contentType(), sink -> writer.page(page.rows(), sink));
        page.next().ifPresent(next -> {
            response.header("x-ms-continuation-NextPartitionKey", ContinuationToken.encode(next.partitionKey()));
            next.rowKey()
                    .ifPresent(rowKey ->
                            response.header("x-ms-continuation-NextRowKey", ContinuationToken.encode(rowKey)));
        });
        if (request.header(EXPLAIN).filter("true"::equals).isPresent()) {
            explain(page, response);
        }
        return response;
    }

    private static void explain(EntityPage page, Response response) {
        response.header("x-trestle-plan", headerText(page.plan().toString()))
                .header("x-trestle-rows-examined", Long.toString(page.rows().examined()))
                .header("x-trestle-rows-returned", Integer.toString(page.rows().size()));
    }

    /** Escapes characters beyond ASCII as in Java source, because headers are ASCII. */
    private static String headerText(String text) {
        StringBuilder ascii = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x20 && c < 0x7F) {
                ascii.append(c);
            } else {
                ascii.append(String.format("\\u%04x", (int) c));
            }
        }
        return ascii.toString();
    }

    private static EntityWriter writer(Request request, Table table, MetadataLevel level, List<String> select) {
        return new EntityWriter(
                request.account(),
                request.address().baseUrl(),
                table.name().value(),
                level,
                select,
                QueryOptions.selectText(request));
    }
}
