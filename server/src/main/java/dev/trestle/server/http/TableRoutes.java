package dev.trestle.server.http;

import dev.trestle.filter.Filter;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.TableName;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.Operation;
import dev.trestle.server.protocol.AclXml;
import dev.trestle.server.protocol.ContinuationToken;
import dev.trestle.server.protocol.Documents;
import dev.trestle.server.protocol.EntityReader;
import dev.trestle.server.protocol.FilterParser;
import dev.trestle.server.protocol.MetadataLevel;
import dev.trestle.server.protocol.ResourcePath;
import dev.trestle.server.protocol.ResourcePath.OneKey;
import dev.trestle.table.TableService;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Which operation of the Table service a request means, and the operations on the account and its tables. */
final class TableRoutes implements Routes {
    private static final String PERMISSIONS = "raud";
    private static final char NEXT_TABLE_SEPARATOR = '\u0001';

    private final TableService tables;
    private final EntityRoutes entities;
    private final BatchRoute batches;
    private final ServiceDocuments ofService;

    TableRoutes(TableService tables, EntityRoutes entities, BatchRoute batches, ServiceDocuments ofService) {
        this.tables = tables;
        this.entities = entities;
        this.batches = batches;
        this.ofService = ofService;
    }

    @Override
    public CompletionStage<Response> serve(Request request, Grant grant) {
        String verb = request.verb();
        if (request.address().secondary() && !verb.equals("GET") && !verb.equals("HEAD")) {
            throw StorageException.readOnly();
        }
        ResourcePath path = ResourcePath.parse(request.address().rawResource());
        Optional<String> comp = request.query("comp");
        if (comp.isPresent() || request.query("restype").isPresent()) {
            return documents(request, grant, verb, path, comp.orElse(""));
        }
        return switch (path.name()) {
            case "" -> root(request, verb, grant);
            case "$metadata" -> metadata(request, verb, grant);
            case "$batch" -> batches.serve(request, grant, verb);
            case "Tables", "tables" -> tables(request, grant, verb, path);
            default -> entities.serve(request, grant, verb, path);
        };
    }

    private CompletionStage<Response> documents(
            Request request, Grant grant, String verb, ResourcePath path, String comp) {
        if (path.equals(ResourcePath.ROOT)
                && request.query("restype").filter("service"::equals).isPresent()) {
            return ofService
                    .serve(request, grant, verb, comp)
                    .orElseThrow(() -> new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE));
        }
        if (!comp.equals("acl")
                || path.name().isEmpty()
                || request.query("restype").isPresent()) {
            throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
        TableName name = new TableName(path.name());
        return switch (verb) {
            case "GET", "HEAD" -> getAcl(request, grant, name);
            case "PUT" -> setAcl(request, grant, name);
            default -> throw new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
        };
    }

    private CompletionStage<Response> getAcl(Request request, Grant grant, TableName name) {
        request.trace().begin(OperationName.GET_TABLE_ACL, name.value());
        grant.check(Operation.GET_TABLE_ACL, Optional.of(name.folded()));
        return tables.findTable(request.account(), name)
                .thenApply(found -> found.orElseThrow(() -> new StorageException(StorageError.RESOURCE_NOT_FOUND)))
                .thenApply(table -> new Response(200).body("application/xml", AclXml.write(table.policies())));
    }

    private CompletionStage<Response> setAcl(Request request, Grant grant, TableName name) {
        request.trace().begin(OperationName.SET_TABLE_ACL, name.value());
        grant.check(Operation.SET_TABLE_ACL, Optional.of(name.folded()));
        return tables.setPolicies(
                        request.account(),
                        name,
                        AclXml.read(request.body(), request.bodyOffset(), request.bodyLength(), PERMISSIONS))
                .thenApply(done -> new Response(204));
    }

    private CompletionStage<Response> root(Request request, String verb, Grant grant) {
        allow(verb, "GET");
        request.trace().begin(OperationName.GET_SERVICE_DOCUMENT);
        grant.check(Operation.QUERY_TABLES, Optional.empty());
        MetadataLevel level = level(request);
        return CompletableFuture.completedFuture(Response.odata(200)
                .body(
                        level.contentType(),
                        Documents.serviceDocument(request.address().baseUrl(), level)));
    }

    private CompletionStage<Response> metadata(Request request, String verb, Grant grant) {
        allow(verb, "GET");
        request.trace().begin(OperationName.GET_METADATA);
        grant.check(Operation.QUERY_TABLES, Optional.empty());
        return CompletableFuture.completedFuture(
                Response.odata(200).body("application/xml", Documents.metadata(request.account())));
    }

    private CompletionStage<Response> tables(Request request, Grant grant, String verb, ResourcePath path) {
        if (path.predicate().isPresent() && path.predicate().get() instanceof OneKey key) {
            return switch (verb) {
                case "GET" -> getTable(request, grant, key.value());
                case "DELETE" -> deleteTable(request, grant, key.value());
                default -> throw new StorageException(StorageError.METHOD_NOT_ALLOWED);
            };
        }
        return switch (verb) {
            case "GET" -> queryTables(request, grant);
            case "POST" -> createTable(request, grant);
            default -> throw new StorageException(StorageError.METHOD_NOT_ALLOWED);
        };
    }

    private CompletionStage<Response> queryTables(Request request, Grant grant) {
        request.trace().begin(OperationName.QUERY_TABLES);
        grant.check(Operation.QUERY_TABLES, Optional.empty());
        QueryOptions.refuseUnsupported(request);
        MetadataLevel level = level(request);
        Filter filter = FilterParser.parse(request.query("$filter").orElse(""));
        int top = QueryOptions.top(request);
        Optional<String> from = request.query("NextTableName").map(token -> {
            String text = ContinuationToken.decode(token);
            int separator = text.indexOf(NEXT_TABLE_SEPARATOR);
            return separator < 0 ? text : text.substring(0, separator);
        });
        request.reachStore();
        return tables.queryTables(request.account(), filter, top, from).thenApply(page -> {
            Response response = Response.odata(200)
                    .body(
                            level.contentType(),
                            Documents.tables(
                                    request.account(), request.address().baseUrl(), level, page.names()));
            page.next()
                    .ifPresent(next -> response.header(
                            "x-ms-continuation-NextTableName", ContinuationToken.encode(next + NEXT_TABLE_SEPARATOR)));
            return response;
        });
    }

    private CompletionStage<Response> createTable(Request request, Grant grant) {
        request.trace().begin(OperationName.CREATE_TABLE);
        grant.check(Operation.CREATE_TABLE, Optional.empty());
        MetadataLevel level = level(request);
        QueryOptions.checkJsonBody(request.header("Content-Type"));
        EntityReader body = EntityReader.read(request.body(), request.bodyOffset(), request.bodyLength());
        request.reachStore();
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
                            Documents.table(request.account(), request.address().baseUrl(), level, name.value()));
        });
    }

    private CompletionStage<Response> getTable(Request request, Grant grant, String text) {
        request.trace().begin(OperationName.GET_TABLE);
        grant.check(Operation.QUERY_TABLES, Optional.empty());
        MetadataLevel level = level(request);
        TableName name = new TableName(text);
        request.trace().resource(name.value());
        request.reachStore();
        return tables.findTable(request.account(), name).thenApply(found -> {
            String spelled = found.orElseThrow(() -> new StorageException(StorageError.RESOURCE_NOT_FOUND))
                    .name()
                    .value();
            return Response.odata(200)
                    .body(
                            level.contentType(),
                            Documents.table(request.account(), request.address().baseUrl(), level, spelled));
        });
    }

    private CompletionStage<Response> deleteTable(Request request, Grant grant, String text) {
        request.trace().begin(OperationName.DELETE_TABLE);
        grant.check(Operation.DELETE_TABLE, Optional.empty());
        TableName name = new TableName(text);
        request.trace().resource(name.value());
        request.reachStore();
        return tables.deleteTable(request.account(), name).thenApply(done -> Response.odata(204));
    }

    static MetadataLevel level(Request request) {
        return MetadataLevel.negotiate(request.query("$format"), request.header("Accept"));
    }

    static void allow(String verb, String only) {
        if (!verb.equals(only)) {
            throw new StorageException(StorageError.METHOD_NOT_ALLOWED);
        }
    }
}
