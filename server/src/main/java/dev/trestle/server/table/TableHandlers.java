package dev.trestle.server.table;

import dev.trestle.filter.Filter;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.TableName;
import dev.trestle.server.codec.AclXml;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.Response;
import dev.trestle.server.table.ResourcePath.OneKey;
import dev.trestle.server.table.json.EntityReader;
import dev.trestle.server.table.json.MetadataLevel;
import dev.trestle.table.TableService;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Handlers of the operations on tables. */
final class TableHandlers {
    private static final String PERMISSIONS = "raud";
    private static final char NEXT_TABLE_SEPARATOR = '\u0001';

    private final TableService tables;

    TableHandlers(TableService tables) {
        this.tables = tables;
    }

    CompletionStage<Response> getAcl(TableCall call) {
        Request request = call.request();
        return tables.findTable(request.account(), call.table())
                .thenApply(found -> found.orElseThrow(() -> new StorageException(StorageError.RESOURCE_NOT_FOUND)))
                .thenApply(table -> new Response(200).body("application/xml", AclXml.write(table.policies())));
    }

    CompletionStage<Response> setAcl(TableCall call) {
        Request request = call.request();
        return tables.setPolicies(
                        request.account(),
                        call.table(),
                        AclXml.read(request.body(), 0, request.bodyLength(), PERMISSIONS))
                .thenApply(done -> new Response(204));
    }

    CompletionStage<Response> serviceDocument(TableCall call) {
        Request request = call.request();
        MetadataLevel level = call.level();
        return CompletableFuture.completedFuture(Response.odata(200)
                .body(
                        level.contentType(),
                        TableDocuments.serviceDocument(request.address().baseUrl(), level)));
    }

    CompletionStage<Response> metadata(TableCall call) {
        Request request = call.request();
        return CompletableFuture.completedFuture(
                Response.odata(200).body("application/xml", TableDocuments.metadata(request.account())));
    }

    CompletionStage<Response> query(TableCall call) {
        Request request = call.request();
        QueryOptions.refuseUnsupported(request);
        MetadataLevel level = call.level();
        Filter filter = FilterParser.parse(request.query("$filter").orElse(""));
        int top = QueryOptions.top(request);
        Optional<String> from = request.query("NextTableName").map(token -> {
            String text = ContinuationToken.decode(token);
            int separator = text.indexOf(NEXT_TABLE_SEPARATOR);
            return separator < 0 ? text : text.substring(0, separator);
        });
        request.trace().reachStore();
        return tables.queryTables(request.account(), filter, top, from).thenApply(page -> {
            Response response = Response.odata(200)
                    .body(
                            level.contentType(),
                            TableDocuments.tables(
                                    request.account(), request.address().baseUrl(), level, page.items()));
            page.next()
                    .ifPresent(next -> response.header(
                            "x-ms-continuation-NextTableName", ContinuationToken.encode(next + NEXT_TABLE_SEPARATOR)));
            return response;
        });
    }

    CompletionStage<Response> create(TableCall call) {
        Request request = call.request();
        MetadataLevel level = call.level();
        QueryOptions.checkJsonBody(request.header("Content-Type"));
        EntityReader body = EntityReader.read(request.body(), 0, request.bodyLength());
        request.trace().reachStore();
        TableName name = new TableName(
                body.text(TableService.TABLE_NAME, () -> new StorageException(StorageError.INVALID_VALUE_TYPE))
                        .orElseThrow(() -> new StorageException(StorageError.PROPERTIES_NEED_VALUE)));
        request.trace().resource(name.value());
        String location = request.address().baseUrl() + "/Tables('" + name + "')";
        Prefer prefer = Prefer.of(request.header("Prefer"));
        return tables.createTable(request.account(), name).thenApply(done -> {
            Response response = Response.odata(prefer.noContent() ? 204 : 201).header("Location", location);
            prefer.applied(response::header);
            return prefer.noContent()
                    ? response.header("DataServiceId", location)
                    : response.body(
                            level.contentType(),
                            TableDocuments.table(
                                    request.account(), request.address().baseUrl(), level, name.value()));
        });
    }

    CompletionStage<Response> get(TableCall call) {
        Request request = call.request();
        MetadataLevel level = call.level();
        TableName name = new TableName(tableName(call));
        request.trace().resource(name.value());
        request.trace().reachStore();
        return tables.findTable(request.account(), name).thenApply(found -> {
            String spelled = found.orElseThrow(() -> new StorageException(StorageError.RESOURCE_NOT_FOUND))
                    .name()
                    .value();
            return Response.odata(200)
                    .body(
                            level.contentType(),
                            TableDocuments.table(
                                    request.account(), request.address().baseUrl(), level, spelled));
        });
    }

    CompletionStage<Response> delete(TableCall call) {
        Request request = call.request();
        TableName name = new TableName(tableName(call));
        request.trace().resource(name.value());
        request.trace().reachStore();
        return tables.deleteTable(request.account(), name).thenApply(done -> Response.odata(204));
    }

    private static String tableName(TableCall call) {
        return call.path().predicate().isPresent() && call.path().predicate().get() instanceof OneKey key
                ? key.value()
                : "";
    }
}
