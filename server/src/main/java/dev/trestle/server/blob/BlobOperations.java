package dev.trestle.server.blob;

import static dev.trestle.server.auth.Permission.onContainer;
import static dev.trestle.server.auth.Permission.onObject;
import static dev.trestle.server.auth.Permission.onService;

import dev.trestle.blob.BlobService;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.model.Limits;
import dev.trestle.model.PublicAccess;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Permission;
import dev.trestle.server.pipeline.ErrorFormat;
import dev.trestle.server.pipeline.MatchedOperation;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.OperationTable;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestDetails;
import dev.trestle.server.pipeline.RequestIds;
import dev.trestle.server.pipeline.RequestObserver;
import dev.trestle.server.pipeline.RequestPipeline;
import dev.trestle.server.pipeline.Response;
import dev.trestle.server.pipeline.ServiceOperations;
import dev.trestle.server.pipeline.ServicePropertiesHandlers;
import dev.trestle.server.pipeline.XmlErrorFormat;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The operations of the Blob service. {@link BlobRequestMatcher} routes requests to them. */
public final class BlobOperations implements ServiceOperations {
    /** The maximum length of an XML document; a list of all blocks that a blob can have fits. */
    static final int DOCUMENT_BYTES_MAX = 8 << 20;

    static final String TYPE = "x-ms-blob-type";
    private static final String COPY_SOURCE = "x-ms-copy-source";

    private static final Set<String> LEASE_ACTIONS = Set.of("acquire", "break", "change", "release", "renew");

    /** The kind of resource that a path and {@code restype} name. */
    enum Resource {
        SERVICE,
        ACCOUNT,
        ACCOUNT_INFORMATION,
        CONTAINER,
        BLOB
    }

    private static final OperationTable.Builder<Handlers, BlobCall> DECLARED = OperationTable.of(Service.BLOB);

    static final Operation<Handlers, BlobCall> LIST_CONTAINERS = operation("ListContainers")
            .at(Resource.ACCOUNT, "GET")
            .comp("list")
            .needs(onService("l"))
            .servedBy((handlers, call) -> handlers.containers.list(call));
    static final Operation<Handlers, BlobCall> FIND_BLOBS = operation("FindBlobsByTags")
            .at(Resource.ACCOUNT, "GET")
            .comp("blobs")
            .needs(onObject("f"))
            .servedBy((handlers, call) -> handlers.tags.findInAccount(call));

    /** As in the service, any SAS has this permission. */
    static final Operation<Handlers, BlobCall> GET_ACCOUNT_INFORMATION = operation("GetAccountInformation")
            .at(Resource.ACCOUNT_INFORMATION, "GET", "HEAD")
            .comp("properties")
            .needs(onService("").alsoInSasOf(Service.BLOB))
            .servedBy((handlers, call) -> CompletableFuture.completedFuture(new Response(200)
                    .header("x-ms-sku-name", "Standard_LRS")
                    .header("x-ms-account-kind", "StorageV2")
                    .header("x-ms-is-hns-enabled", "false")));

    static final Operation<Handlers, BlobCall> GET_USER_DELEGATION_KEY = operation("GetUserDelegationKey")
            .at(Resource.SERVICE, "POST")
            .comp("userdelegationkey")
            .needs(onService().forNamedBearersOnly())
            .collects(DOCUMENT_BYTES_MAX)
            .servedBy((handlers, call) -> handlers.delegation.issue(call));

    /** Any SAS has this permission, because each part of a batch has its own credentials. */
    static final Operation<Handlers, BlobCall> BLOB_BATCH = operation("BlobBatch")
            .at(Resource.ACCOUNT, "POST")
            .at(Resource.CONTAINER, "POST")
            .comp("batch")
            .needs(onContainer("").alsoInSasOf(Service.BLOB))
            .collects(Limits.BODY_BYTES_MAX)
            .servedBy((handlers, call) -> handlers.batches.serve(call));

    static final Operation<Handlers, BlobCall> CREATE_CONTAINER = operation("CreateContainer")
            .at(Resource.CONTAINER, "PUT")
            .needs(onContainer("c", "w"))
            .closedOnSystemResources()
            .servedBy((handlers, call) -> handlers.containers.create(call));
    static final Operation<Handlers, BlobCall> DELETE_CONTAINER = operation("DeleteContainer")
            .at(Resource.CONTAINER, "DELETE")
            .needs(onContainer("d"))
            .closedOnSystemResources()
            .servedBy((handlers, call) -> handlers.containers.delete(call));
    static final Operation<Handlers, BlobCall> GET_CONTAINER_PROPERTIES = operation("GetContainerProperties")
            .at(Resource.CONTAINER, "GET", "HEAD")
            .needs(onContainer("r").alsoAnonymous(PublicAccess.CONTAINER))
            .servedBy((handlers, call) -> handlers.containers.properties(call));
    static final Operation<Handlers, BlobCall> GET_CONTAINER_METADATA = operation("GetContainerMetadata")
            .at(Resource.CONTAINER, "GET", "HEAD")
            .comp("metadata")
            .needs(onContainer("r").alsoAnonymous(PublicAccess.CONTAINER))
            .servedBy((handlers, call) -> handlers.containers.metadata(call));
    static final Operation<Handlers, BlobCall> SET_CONTAINER_METADATA = operation("SetContainerMetadata")
            .at(Resource.CONTAINER, "PUT")
            .comp("metadata")
            .needs(onContainer("w"))
            .closedOnSystemResources()
            .servedBy((handlers, call) -> handlers.containers.setMetadata(call));
    static final Operation<Handlers, BlobCall> GET_CONTAINER_ACL = operation("GetContainerACL")
            .at(Resource.CONTAINER, "GET", "HEAD")
            .comp("acl")
            .needs(onContainer())
            .servedBy((handlers, call) -> handlers.containers.getAcl(call));
    static final Operation<Handlers, BlobCall> SET_CONTAINER_ACL = operation("SetContainerACL")
            .at(Resource.CONTAINER, "PUT")
            .comp("acl")
            .needs(onContainer())
            .closedOnSystemResources()
            .collects(DOCUMENT_BYTES_MAX)
            .servedBy((handlers, call) -> handlers.containers.setAcl(call));
    static final Operation<Handlers, BlobCall> BREAK_CONTAINER_LEASE = operation("LeaseContainer")
            .at(Resource.CONTAINER, "PUT")
            .comp("lease")
            .when(BlobOperations::breaksLease)
            .needs(onContainer("w", "d"))
            .closedOnSystemResources()
            .loggedAs(details -> leaseName(details, "LeaseContainer", "ContainerLease"))
            .servedBy((handlers, call) -> handlers.containers.lease(call));
    static final Operation<Handlers, BlobCall> LEASE_CONTAINER = operation("LeaseContainer")
            .at(Resource.CONTAINER, "PUT")
            .comp("lease")
            .needs(onContainer("w"))
            .closedOnSystemResources()
            .loggedAs(details -> leaseName(details, "LeaseContainer", "ContainerLease"))
            .servedBy((handlers, call) -> handlers.containers.lease(call));
    static final Operation<Handlers, BlobCall> LIST_BLOBS = operation("ListBlobs")
            .at(Resource.CONTAINER, "GET")
            .comp("list")
            .needs(onContainer("l").alsoInSasOf(Service.BLOB).alsoAnonymous(PublicAccess.CONTAINER))
            .needs(onContainer("t").alsoInSasOf(Service.BLOB).named("LIST_BLOB_TAGS"), ContainerHandlers::includesTags)
            .servedBy((handlers, call) -> handlers.containers.listBlobs(call));

    static final Operation<Handlers, BlobCall> FIND_BLOBS_IN_CONTAINER = operation("FindBlobsByTags")
            .at(Resource.CONTAINER, "GET")
            .comp("blobs")
            .needs(onContainer("f").alsoInSasOf(Service.BLOB))
            .servedBy((handlers, call) -> handlers.tags.findInContainer(call));

    static final Operation<Handlers, BlobCall> GET_BLOB_TAGS = operation("GetBlobTags")
            .at(Resource.BLOB, "GET", "HEAD")
            .comp("tags")
            .needs(onBlob("t").alsoInSnapshotSas())
            .servedBy((handlers, call) -> handlers.tags.get(call));
    static final Operation<Handlers, BlobCall> SET_BLOB_TAGS = operation("SetBlobTags")
            .at(Resource.BLOB, "PUT")
            .comp("tags")
            .needs(onBlob("t"))
            .needs(GET_BLOB_TAGS.permission(), TagHeaders::hasCondition)
            .closedOnSystemResources()
            .streams()
            .servedBy((handlers, call) -> handlers.tags.set(call));

    static final Operation<Handlers, BlobCall> GET_BLOB =
            read("GetBlob", "", "GET").servedBy((handlers, call) -> handlers.reads.get(call));
    static final Operation<Handlers, BlobCall> GET_BLOB_PROPERTIES =
            read("GetBlobProperties", "", "HEAD").servedBy((handlers, call) -> handlers.reads.properties(call));
    static final Operation<Handlers, BlobCall> GET_BLOB_METADATA = read("GetBlobMetadata", "metadata", "GET", "HEAD")
            .servedBy((handlers, call) -> handlers.reads.metadata(call));
    static final Operation<Handlers, BlobCall> GET_BLOCK_LIST = read("GetBlockList", "blocklist", "GET", "HEAD")
            .servedBy((handlers, call) -> handlers.reads.blockList(call));

    static final Operation<Handlers, BlobCall> COPY_BLOB_FROM_URL = create("CopyBlobFromURL", "")
            .when(request -> isCopy(request) && isSync(request))
            .servedBy((handlers, call) -> handlers.copies.copyFromUrl(call));
    static final Operation<Handlers, BlobCall> COPY_BLOB = create("CopyBlob", "")
            .when(BlobOperations::isCopy)
            .servedBy((handlers, call) -> handlers.copies.copy(call));
    static final Operation<Handlers, BlobCall> PUT_BLOB_FROM_URL = create("PutBlobFromURL", "")
            .when(request -> hasType(request, "blockblob") && isFromUrl(request))
            .servedBy((handlers, call) -> handlers.copies.putFromUrl(call));
    static final Operation<Handlers, BlobCall> PUT_BLOB = create("PutBlob", "")
            .when(request -> hasType(request, "blockblob"))
            .streams()
            .servedBy((handlers, call) -> handlers.writes.put(call));
    static final Operation<Handlers, BlobCall> PUT_APPEND_BLOB = create("PutBlob", "")
            .when(request -> hasType(request, "appendblob"))
            .servedBy((handlers, call) -> handlers.writes.createAppend(call));
    static final Operation<Handlers, BlobCall> PUT_BLOCK_FROM_URL = create("PutBlockFromURL", "block")
            .when(BlobOperations::isFromUrl)
            .servedBy((handlers, call) -> handlers.writes.putBlockFromUrl(call));
    static final Operation<Handlers, BlobCall> PUT_BLOCK =
            create("PutBlock", "block").streams().servedBy((handlers, call) -> handlers.writes.putBlock(call));
    static final Operation<Handlers, BlobCall> PUT_BLOCK_LIST = create("PutBlockList", "blocklist")
            .streams()
            .servedBy((handlers, call) -> handlers.writes.putBlockList(call));
    static final Operation<Handlers, BlobCall> SNAPSHOT_BLOB =
            create("SnapshotBlob", "snapshot").servedBy((handlers, call) -> handlers.writes.snapshot(call));
    static final Operation<Handlers, BlobCall> APPEND_BLOCK_FROM_URL = change(
                    "AppendBlockFromURL", "appendblock", "a", "w")
            .when(BlobOperations::isFromUrl)
            .servedBy((handlers, call) -> handlers.writes.appendFromUrl(call));
    static final Operation<Handlers, BlobCall> APPEND_BLOCK = change("AppendBlock", "appendblock", "a", "w")
            .streams()
            .servedBy((handlers, call) -> handlers.writes.append(call));
    static final Operation<Handlers, BlobCall> APPEND_BLOB_SEAL =
            change("AppendBlobSeal", "seal", "w").servedBy((handlers, call) -> handlers.writes.seal(call));
    static final Operation<Handlers, BlobCall> SET_BLOB_PROPERTIES = change("SetBlobProperties", "properties", "w")
            .servedBy((handlers, call) -> handlers.writes.setProperties(call));
    static final Operation<Handlers, BlobCall> SET_BLOB_METADATA =
            change("SetBlobMetadata", "metadata", "w").servedBy((handlers, call) -> handlers.writes.setMetadata(call));
    static final Operation<Handlers, BlobCall> SET_BLOB_TIER =
            change("SetBlobTier", "tier", "w").servedBy((handlers, call) -> handlers.writes.setTier(call));
    static final Operation<Handlers, BlobCall> BREAK_BLOB_LEASE = change("LeaseBlob", "lease", "w", "d")
            .when(BlobOperations::breaksLease)
            .loggedAs(details -> leaseName(details, "LeaseBlob", "BlobLease"))
            .servedBy((handlers, call) -> handlers.writes.lease(call));
    static final Operation<Handlers, BlobCall> LEASE_BLOB = change("LeaseBlob", "lease", "w")
            .loggedAs(details -> leaseName(details, "LeaseBlob", "BlobLease"))
            .servedBy((handlers, call) -> handlers.writes.lease(call));
    static final Operation<Handlers, BlobCall> ABORT_COPY_BLOB =
            change("AbortCopyBlob", "copy", "w").servedBy((handlers, call) -> handlers.copies.abort(call));
    static final Operation<Handlers, BlobCall> DELETE_BLOB = operation("DeleteBlob")
            .at(Resource.BLOB, "DELETE")
            .needs(onBlob("d").alsoInSnapshotSas())
            .needs(SET_BLOB_TAGS.permission(), TagHeaders::hasTags)
            .needs(GET_BLOB_TAGS.permission(), TagHeaders::hasCondition)
            .servedBy((handlers, call) -> handlers.writes.delete(call));

    static {
        ServicePropertiesHandlers.declare(DECLARED, Resource.SERVICE, Handlers::service, DOCUMENT_BYTES_MAX);
    }

    static final OperationTable<Handlers, BlobCall> TABLE = DECLARED.build();

    private final Handlers handlers;

    /** The handlers of all operations. */
    record Handlers(
            ContainerHandlers containers,
            BlobReadHandlers reads,
            BlobWriteHandlers writes,
            CopyHandlers copies,
            TagHandlers tags,
            BlobBatchHandler batches,
            UserDelegationHandler delegation,
            ServicePropertiesHandlers service) {}

    /**
     * Creates the operations.
     *
     * @param publicAccess whether containers may allow anonymous reads
     * @param pipeline processes the requests of a batch
     */
    public BlobOperations(
            BlobService blobs,
            Catalogue catalogue,
            Accounts accounts,
            InstantSource clock,
            boolean publicAccess,
            CopySources sources,
            RequestPipeline pipeline,
            RequestIds ids,
            RequestObserver observer) {
        CopyHandlers copies = new CopyHandlers(blobs, sources);
        this.handlers = new Handlers(
                new ContainerHandlers(blobs, publicAccess),
                new BlobReadHandlers(blobs),
                new BlobWriteHandlers(blobs, copies),
                copies,
                new TagHandlers(blobs),
                new BlobBatchHandler(pipeline, ids, observer),
                new UserDelegationHandler(accounts, clock),
                new ServicePropertiesHandlers(catalogue, clock));
    }

    private static Operation.Builder<Handlers, BlobCall> operation(String name) {
        return DECLARED.operation(name);
    }

    private static Permission onBlob(String... letters) {
        return onObject(letters).alsoInSasOf(Service.BLOB);
    }

    /** Declares an operation that reads a blob. */
    private static Operation.Builder<Handlers, BlobCall> read(String name, String comp, String... verbs) {
        return operation(name)
                .at(Resource.BLOB, verbs)
                .comp(comp)
                .needs(onBlob("r").alsoInSnapshotSas().alsoAnonymous(PublicAccess.BLOB))
                .needs(GET_BLOB_TAGS.permission(), TagHeaders::hasCondition);
    }

    /** Declares an operation that creates a blob or a snapshot, also by blocks or by a copy. */
    private static Operation.Builder<Handlers, BlobCall> create(String name, String comp) {
        return change(name, comp, "c", "w");
    }

    /** Declares an operation that changes a blob. */
    private static Operation.Builder<Handlers, BlobCall> change(String name, String comp, String... letters) {
        return operation(name)
                .at(Resource.BLOB, "PUT")
                .comp(comp)
                .needs(onBlob(letters))
                .needs(SET_BLOB_TAGS.permission(), TagHeaders::hasTags)
                .needs(GET_BLOB_TAGS.permission(), TagHeaders::hasCondition)
                .closedOnSystemResources();
    }

    private static boolean isFromUrl(Request request) {
        return request.header(COPY_SOURCE).isPresent();
    }

    private static boolean isCopy(Request request) {
        return isFromUrl(request) && request.header(TYPE).isEmpty();
    }

    static boolean isSync(Request request) {
        return request.header("x-ms-requires-sync").orElse("").strip().equalsIgnoreCase("true");
    }

    private static boolean hasType(Request request, String type) {
        return request.header(TYPE).orElse("").strip().equalsIgnoreCase(type);
    }

    private static boolean breaksLease(Request request) {
        return request.header("x-ms-lease-action").orElse("").strip().equalsIgnoreCase("break");
    }

    /** Returns the name of an operation on a lease in logs. */
    private static String leaseName(RequestDetails details, String name, String on) {
        String action = details.header("x-ms-lease-action").orElse("").strip().toLowerCase(Locale.ROOT);
        return LEASE_ACTIONS.contains(action)
                ? action.substring(0, 1).toUpperCase(Locale.ROOT) + action.substring(1) + on
                : name;
    }

    /** All operations of the service. */
    public static List<? extends Operation<?, ?>> all() {
        return TABLE.all();
    }

    @Override
    public ErrorFormat errors() {
        return new XmlErrorFormat();
    }

    @Override
    public MatchedOperation match(Request request) {
        return BlobRequestMatcher.match(request, handlers);
    }

    /** Returns the operation on a blob that a request matches by verb, {@code comp} and headers. */
    static Optional<Operation<Handlers, BlobCall>> onBlob(Request request) {
        return TABLE.find(Resource.BLOB, request.query("comp").orElse(""), request.method(), request);
    }
}
