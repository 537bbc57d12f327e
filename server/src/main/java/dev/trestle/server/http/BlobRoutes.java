package dev.trestle.server.http;

import dev.trestle.blob.BlobAddress;
import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.Operation;
import dev.trestle.server.auth.QueryParameters;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Which operation of the Blob service a request means, and the operations on the account. */
final class BlobRoutes implements Routes {
    /** A list of all the blocks that a blob can have, in XML. */
    private static final int DOCUMENT_BYTES_MAX = 8 << 20;

    private static final Set<String> OPTIONAL_COMPS = Set.of(
            "page", "pagelist", "incrementalcopy", "undelete", "query", "legalhold", "immutabilityPolicies", "expiry");

    private final ContainerRoutes containers;
    private final BlobReads reads;
    private final BlobWrites writes;
    private final TagRoutes tags;
    private final DelegationRoute delegation;
    private final ServiceDocuments ofService;
    private final BlobBatchRoute batches;

    BlobRoutes(
            ContainerRoutes containers,
            BlobReads reads,
            BlobWrites writes,
            TagRoutes tags,
            DelegationRoute delegation,
            ServiceDocuments ofService,
            BlobBatchRoute batches) {
        this.containers = containers;
        this.reads = reads;
        this.writes = writes;
        this.tags = tags;
        this.delegation = delegation;
        this.ofService = ofService;
        this.batches = batches;
    }

    @Override
    public boolean streamsBodies() {
        return true;
    }

    @Override
    public CompletionStage<Response> serve(Request request, Grant grant) {
        String verb = request.method();
        boolean read = verb.equals("GET") || verb.equals("HEAD");
        if (request.address().secondary() && !read) {
            throw StorageException.readOnly();
        }
        String comp = request.query("comp").orElse("");
        String restype = request.query("restype").orElse("");
        RefusedHeaders.check(request, verb.equals("DELETE") && restype.isEmpty());
        refuseVersions(request.query("versionid"));
        Path path = Path.of(request.address().rawResource(), restype.equals("container"));
        if (path.isAccount() || !restype.isEmpty()) {
            RefusedHeaders.checkNotOnBlob(request);
        }
        if (restype.equals("account")) {
            return accountInformation(request, grant, comp, read);
        }
        if (path.isAccount()) {
            return account(request, grant, verb, comp, restype);
        }
        return switch (restype) {
            case "container" ->
                comp.equals("batch")
                        ? batches.serve(request, grant, verb, Optional.of(path.containerAlone()))
                        : containers.serve(request, grant, verb, path.containerAlone(), comp);
            case "" -> blob(request, grant, verb, path.blob(request.account()), comp);
            default ->
                throw RequestParameters.invalid("restype", restype, "It has to be container, account or service.");
        };
    }

    /**
     * The container and the blob that a path names, each empty when it names none. A blob may not have an empty name:
     * a path that ends after the slash behind the container is no path of the container, which {@code restype} alone
     * can address.
     */
    record Path(String container, String blob) {
        static Path of(String rawResource, boolean isContainer) {
            int slash = rawResource.indexOf('/', 1);
            if (slash >= 0) {
                return new Path(decoded(rawResource.substring(1, slash)), blobName(rawResource.substring(slash + 1)));
            }
            String only = rawResource.substring(1);
            return isContainer || only.isEmpty()
                    ? new Path(decoded(only), "")
                    : new Path(ContainerName.ROOT.value(), blobName(only));
        }

        private static String decoded(String text) {
            return QueryParameters.decode(text, false);
        }

        private static String blobName(String text) {
            return BlobName.normalize(decoded(text));
        }

        boolean isAccount() {
            return container.isEmpty() && blob.isEmpty();
        }

        ContainerName containerAlone() {
            if (container.isEmpty() || !blob.isEmpty()) {
                throw new StorageException(StorageError.INVALID_URI);
            }
            return new ContainerName(container);
        }

        BlobAddress blob(String account) {
            if (container.isEmpty() || blob.isEmpty()) {
                throw new StorageException(StorageError.INVALID_URI);
            }
            return new BlobAddress(account, new ContainerName(container), new BlobName(blob));
        }
    }

    /** Returns if nobody asks for a version that is not the current one. */
    static void refuseVersions(Optional<String> id) {
        if (id.isPresent()) {
            throw notBuilt("versions of blobs");
        }
    }

    /** The answer to what the service knows and this server does not. */
    static StorageException notBuilt(String what) {
        return new StorageException(
                StorageError.NOT_IMPLEMENTED,
                "This server has no " + what + ". See docs/compatibility.md for what it has.");
    }

    private CompletionStage<Response> account(Request request, Grant grant, String verb, String comp, String restype) {
        if (restype.equals("service")) {
            if (comp.equals("userdelegationkey")) {
                return document(request).thenCompose(whole -> delegation.serve(request, grant, verb));
            }
            return document(request)
                    .thenCompose(whole -> ofService
                            .serve(request, grant, verb, comp)
                            .orElseThrow(() -> new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE)));
        }
        if (comp.equals("list") && verb.equals("GET") && restype.isEmpty()) {
            return containers.list(request, grant);
        }
        if (comp.equals("blobs") && verb.equals("GET") && restype.isEmpty()) {
            return tags.find(request, grant);
        }
        if (comp.equals("batch")) {
            return batches.serve(request, grant, verb, Optional.empty());
        }
        if (comp.equals("list") || comp.equals("blobs")) {
            throw new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
        }
        throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
    }

    /** A body that is a document, taken into memory. */
    static CompletionStage<Void> document(Request request) {
        return document(request, DOCUMENT_BYTES_MAX);
    }

    static CompletionStage<Void> document(Request request, int bytesMax) {
        return request.content().collect(bytesMax).thenRun(() -> RequestPipeline.checkMd5(request));
    }

    private static CompletionStage<Response> accountInformation(
            Request request, Grant grant, String comp, boolean read) {
        if (!comp.equals("properties")) {
            throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
        if (!read) {
            throw new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
        }
        request.trace().begin(OperationName.GET_ACCOUNT_INFORMATION);
        grant.check(Operation.GET_ACCOUNT_INFORMATION, Optional.empty());
        return CompletableFuture.completedFuture(new Response(200)
                .header("x-ms-sku-name", "Standard_LRS")
                .header("x-ms-account-kind", "StorageV2")
                .header("x-ms-is-hns-enabled", "false"));
    }

    private CompletionStage<Response> blob(
            Request request, Grant grant, String verb, BlobAddress address, String comp) {
        if (verb.equals("HEAD") && !isSnapshot(request.query("snapshot").orElse(""))) {
            request.trace().failed(StorageError.INVALID_QUERY_PARAMETER_VALUE);
            return CompletableFuture.completedFuture(new Response(400).fromFrontDoor());
        }
        OptionalLong snapshot = snapshot(request);
        if (OPTIONAL_COMPS.contains(comp)) {
            throw notBuilt("comp=" + comp + " on blobs");
        }
        return switch (verb) {
            case "GET", "HEAD" -> reads.serve(request, grant, verb.equals("HEAD"), address, snapshot, comp);
            case "PUT" -> {
                if (snapshot.isPresent() && comp.equals("tier")) {
                    yield writes.setTier(request, grant, address, snapshot);
                }
                if (snapshot.isPresent()) {
                    throw new StorageException(
                            comp.equals("lease")
                                    ? StorageError.INVALID_QUERY_PARAMETER_VALUE
                                    : StorageError.INVALID_OPERATION);
                }
                yield writes.serve(request, grant, address, comp);
            }
            case "DELETE" -> {
                if (!comp.isEmpty()) {
                    throw new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
                }
                yield writes.delete(request, grant, address, snapshot);
            }
            default -> throw new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
        };
    }

    private static OptionalLong snapshot(Request request) {
        Optional<String> text = request.query("snapshot").filter(value -> !value.isEmpty());
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!isSnapshot(text.get())) {
            throw RequestParameters.invalid("snapshot", text.get(), "It has to be the time of a snapshot.");
        }
        return Ticks.parse(text.get());
    }

    static boolean isSnapshot(String text) {
        OptionalLong taken = text.isEmpty() ? OptionalLong.of(0) : Ticks.parse(text);
        return taken.isPresent() && taken.getAsLong() >= 0 && taken.getAsLong() <= Ticks.MAX;
    }

    /** The version of the protocol that a request is written for, by which some limits go. */
    static String version(Request request) {
        return request.header("x-ms-version").or(() -> request.query("sv")).orElse("9999-12-31");
    }

    /** A limit that was raised in some version of the protocol. */
    static long limit(Request request, String since, long now, long before) {
        return version(request).compareTo(since) >= 0 ? now : before;
    }
}
