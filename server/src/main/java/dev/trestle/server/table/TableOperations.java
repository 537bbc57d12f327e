package dev.trestle.server.table;

import static dev.trestle.server.auth.Permission.onContainer;
import static dev.trestle.server.auth.Permission.onObject;

import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.TableName;
import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.admission.Throttle;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Permission;
import dev.trestle.server.pipeline.ErrorFormat;
import dev.trestle.server.pipeline.MatchedOperation;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.OperationTable;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.ServiceOperations;
import dev.trestle.server.pipeline.ServicePropertiesHandlers;
import dev.trestle.server.table.ResourcePath.OneKey;
import dev.trestle.table.TableService;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The operations of the Table service, and the routing of requests to them. */
public final class TableOperations implements ServiceOperations {
    /** The kind of resource that a path names; entities are distinguished as their operations require. */
    private enum Resource {
        SERVICE,
        ROOT,
        METADATA,
        BATCH,
        TABLES,
        TABLE,
        TABLE_POLICIES,
        ENTITIES,
        ENTITY,
        ENTITY_IF_MATCH
    }

    private static final OperationTable.Builder<Handlers, TableCall> DECLARED = OperationTable.of(Service.TABLE);

    static final Operation<Handlers, TableCall> GET_SERVICE_DOCUMENT = operation("GetServiceDocument")
            .at(Resource.ROOT, "GET")
            .needs(onContainer("l"))
            .servedBy((handlers, call) -> handlers.tables.serviceDocument(call));
    static final Operation<Handlers, TableCall> GET_METADATA = operation("GetMetadata")
            .at(Resource.METADATA, "GET")
            .needs(onContainer("l"))
            .servedBy((handlers, call) -> handlers.tables.metadata(call));
    static final Operation<Handlers, TableCall> QUERY_TABLES = operation("QueryTables")
            .at(Resource.TABLES, "GET")
            .needs(onContainer("l"))
            .servedBy((handlers, call) -> handlers.tables.query(call));
    static final Operation<Handlers, TableCall> GET_TABLE = operation("GetTable")
            .at(Resource.TABLE, "GET")
            .needs(onContainer("l"))
            .loggedAs("QueryTable")
            .servedBy((handlers, call) -> handlers.tables.get(call));
    static final Operation<Handlers, TableCall> CREATE_TABLE = operation("CreateTable")
            .at(Resource.TABLES, "POST")
            .needs(onContainer("c", "w"))
            .servedBy((handlers, call) -> handlers.tables.create(call));
    static final Operation<Handlers, TableCall> DELETE_TABLE = operation("DeleteTable")
            .at(Resource.TABLE, "DELETE")
            .needs(onContainer("d"))
            .servedBy((handlers, call) -> handlers.tables.delete(call));
    static final Operation<Handlers, TableCall> GET_TABLE_ACL = operation("GetTableAcl")
            .at(Resource.TABLE_POLICIES, "GET", "HEAD")
            .needs(onContainer())
            .servedBy((handlers, call) -> handlers.tables.getAcl(call));
    static final Operation<Handlers, TableCall> SET_TABLE_ACL = operation("SetTableAcl")
            .at(Resource.TABLE_POLICIES, "PUT")
            .needs(onContainer())
            .servedBy((handlers, call) -> handlers.tables.setAcl(call));
    static final Operation<Handlers, TableCall> QUERY_ENTITIES = operation("QueryEntities")
            .at(Resource.ENTITIES, "GET")
            .needs(onEntities("r"))
            .countsEntities()
            .servedBy((handlers, call) -> handlers.entities.query(call));
    static final Operation<Handlers, TableCall> GET_ENTITY = operation("GetEntity")
            .at(Resource.ENTITY, "GET")
            .needs(onEntities("r"))
            .countsEntities()
            .loggedAs("QueryEntity")
            .servedBy((handlers, call) -> handlers.entities.get(call));
    static final Operation<Handlers, TableCall> INSERT_ENTITY = write("InsertEntity", "a")
            .at(Resource.ENTITY, "POST")
            .at(Resource.ENTITY_IF_MATCH, "POST")
            .closedOnSystemResources()
            .servedBy((handlers, call) -> handlers.entities.write(call));
    static final Operation<Handlers, TableCall> INSERT_OR_REPLACE_ENTITY = write("InsertOrReplaceEntity", "au")
            .at(Resource.ENTITY, "PUT")
            .closedOnSystemResources()
            .servedBy((handlers, call) -> handlers.entities.write(call));
    static final Operation<Handlers, TableCall> INSERT_OR_MERGE_ENTITY = write("InsertOrMergeEntity", "au")
            .at(Resource.ENTITY, "MERGE", "PATCH")
            .closedOnSystemResources()
            .servedBy((handlers, call) -> handlers.entities.write(call));
    static final Operation<Handlers, TableCall> UPDATE_ENTITY = write("UpdateEntity", "u")
            .at(Resource.ENTITY_IF_MATCH, "PUT")
            .closedOnSystemResources()
            .servedBy((handlers, call) -> handlers.entities.write(call));
    static final Operation<Handlers, TableCall> MERGE_ENTITY = write("MergeEntity", "u")
            .at(Resource.ENTITY_IF_MATCH, "MERGE", "PATCH")
            .closedOnSystemResources()
            .servedBy((handlers, call) -> handlers.entities.write(call));
    static final Operation<Handlers, TableCall> DELETE_ENTITY = write("DeleteEntity", "d")
            .at(Resource.ENTITY, "DELETE")
            .at(Resource.ENTITY_IF_MATCH, "DELETE")
            .servedBy((handlers, call) -> handlers.entities.write(call));
    static final Operation<Handlers, TableCall> ENTITY_GROUP_TRANSACTION = operation("EntityGroupTransaction")
            .at(Resource.BATCH, "POST")
            .needs(Permission.OF_PARTS)
            .countsEntities()
            .servedBy((handlers, call) -> handlers.batches.transact(handlers, call));

    static {
        ServicePropertiesHandlers.declare(DECLARED, Resource.SERVICE, Handlers::service, Limits.BODY_BYTES_MAX);
    }

    private static final OperationTable<Handlers, TableCall> TABLE = DECLARED.build();

    private final Handlers handlers;

    /** The handlers of all operations. */
    record Handlers(
            TableHandlers tables, EntityHandlers entities, BatchHandler batches, ServicePropertiesHandlers service) {}

    public TableOperations(
            TableService tables,
            Catalogue catalogue,
            Accounts accounts,
            InstantSource clock,
            Throttle throttle,
            ServerLoad load) {
        this.handlers = new Handlers(
                new TableHandlers(tables),
                new EntityHandlers(tables, throttle, load),
                new BatchHandler(tables, clock, new PartTarget(accounts), throttle),
                new ServicePropertiesHandlers(catalogue, clock));
    }

    private static Permission onEntities(String letters) {
        return onObject(letters).alsoInSasOf(Service.TABLE);
    }

    private static Operation.Builder<Handlers, TableCall> write(String name, String letters) {
        return operation(name).needs(onEntities(letters)).countsEntities();
    }

    private static Operation.Builder<Handlers, TableCall> operation(String name) {
        return DECLARED.operation(name).collects(Limits.BODY_BYTES_MAX);
    }

    /** All operations of the service. */
    public static List<? extends Operation<?, ?>> all() {
        return TABLE.all();
    }

    @Override
    public ErrorFormat errors() {
        return new ODataErrorFormat();
    }

    @Override
    public MatchedOperation match(Request request) {
        String verb = TunnelledVerb.of(request);
        if (request.address().secondary() && !verb.equals("GET") && !verb.equals("HEAD")) {
            throw StorageException.readOnly();
        }
        ResourcePath path = ResourcePath.parse(request.address().rawResource());
        Optional<String> comp = request.query("comp");
        if (comp.isPresent() || request.query("restype").isPresent()) {
            return matchDocument(request, verb, path, comp.orElse(""));
        }
        return switch (path.name()) {
            case "" -> matched(request, Resource.ROOT, verb, path);
            case "$metadata" -> matched(request, Resource.METADATA, verb, path);
            case "$batch" -> matched(request, Resource.BATCH, verb, path);
            case "Tables", "tables" -> {
                boolean one = path.predicate().isPresent() && path.predicate().get() instanceof OneKey;
                yield matched(request, one ? Resource.TABLE : Resource.TABLES, verb, path);
            }
            default -> matchEntities(request, verb, path);
        };
    }

    private MatchedOperation matchDocument(Request request, String verb, ResourcePath path, String comp) {
        if (path.equals(ResourcePath.ROOT)
                && request.query("restype").filter("service"::equals).isPresent()) {
            Operation<Handlers, TableCall> operation = TABLE.find(Resource.SERVICE, comp, verb, request)
                    .orElseThrow(() -> new StorageException(
                            TABLE.contains(Resource.SERVICE, comp)
                                    ? StorageError.UNSUPPORTED_HTTP_VERB
                                    : StorageError.INVALID_QUERY_PARAMETER_VALUE));
            return matched(request, operation, verb, path, Optional.empty());
        }
        if (!comp.equals("acl")
                || path.name().isEmpty()
                || request.query("restype").isPresent()) {
            throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
        TableName name = new TableName(path.name());
        Operation<Handlers, TableCall> operation = TABLE.find(Resource.TABLE_POLICIES, "", verb, request)
                .orElseThrow(() -> new StorageException(StorageError.UNSUPPORTED_HTTP_VERB));
        return matched(request, operation, verb, path, Optional.of(name));
    }

    private MatchedOperation matchEntities(Request request, String verb, ResourcePath path) {
        TableName name = new TableName(path.name());
        boolean ifMatch = request.header("if-match").isPresent();
        return matched(request, entityOperation(request, verb, path, ifMatch), verb, path, Optional.of(name));
    }

    /**
     * Returns the operation on entities that a request matches, alone or in a batch.
     *
     * @param ifMatch whether the request has the header If-Match
     */
    static Operation<Handlers, TableCall> entityOperation(
            Request request, String verb, ResourcePath path, boolean ifMatch) {
        boolean many = path.predicate().isEmpty() || path.predicate().get() instanceof ResourcePath.NoKeys;
        Resource resource = verb.equals("GET")
                ? (many ? Resource.ENTITIES : Resource.ENTITY)
                : (ifMatch ? Resource.ENTITY_IF_MATCH : Resource.ENTITY);
        return find(request, resource, verb);
    }

    private static Operation<Handlers, TableCall> find(Request request, Resource resource, String verb) {
        return TABLE.find(resource, "", verb, request)
                .orElseThrow(() -> new StorageException(StorageError.METHOD_NOT_ALLOWED));
    }

    private MatchedOperation matched(Request request, Resource resource, String verb, ResourcePath path) {
        return matched(request, find(request, resource, verb), verb, path, Optional.empty());
    }

    private MatchedOperation matched(
            Request request,
            Operation<Handlers, TableCall> operation,
            String verb,
            ResourcePath path,
            Optional<TableName> name) {
        return MatchedOperation.of(
                operation,
                handlers,
                grant -> new TableCall(request, grant, verb, path, name),
                name.map(TableName::folded),
                name.map(TableName::value),
                name.filter(TableName::isOfTheService).isPresent());
    }
}
