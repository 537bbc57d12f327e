package dev.trestle.server.blob;

import dev.trestle.blob.BlobAddress;
import dev.trestle.model.ContainerName;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.blob.BlobOperations.Handlers;
import dev.trestle.server.blob.BlobOperations.Resource;
import dev.trestle.server.pipeline.MatchedOperation;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestParameters;
import dev.trestle.server.pipeline.Response;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Matches a request to an operation of the Blob service and to the container, blob or snapshot that it names. */
final class BlobRequestMatcher {
    /** The values of {@code comp} of operations that this server does not have. */
    private static final Set<String> OPTIONAL_COMPS = Set.of(
            "page", "pagelist", "incrementalcopy", "undelete", "query", "legalhold", "immutabilityPolicies", "expiry");

    private final Request request;
    private final Handlers handlers;

    private BlobRequestMatcher(Request request, Handlers handlers) {
        this.request = request;
        this.handlers = handlers;
    }

    static MatchedOperation match(Request request, Handlers handlers) {
        return new BlobRequestMatcher(request, handlers).match();
    }

    private MatchedOperation match() {
        String verb = request.method();
        if (request.address().secondary() && !request.isRead()) {
            throw StorageException.readOnly();
        }
        String comp = request.query("comp").orElse("");
        String restype = request.query("restype").orElse("");
        UnsupportedHeaders.check(request, verb.equals("DELETE") && restype.isEmpty());
        Unsupported.refuseVersions(request.query("versionid"));
        BlobPath path = BlobPath.of(request.address().rawResource(), restype.equals("container"));
        if (path.isAccount() || !restype.isEmpty()) {
            UnsupportedHeaders.checkNotOnBlob(request);
        }
        if (restype.equals("account")) {
            return matchedOnAccount(Resource.ACCOUNT_INFORMATION, comp);
        }
        if (path.isAccount()) {
            return matchAccount(comp, restype);
        }
        return switch (restype) {
            case "container" -> matchContainer(path.containerAlone(), comp);
            case "" -> matchBlob(path.blob(request.account()), comp);
            default ->
                throw RequestParameters.invalid("restype", restype, "It has to be container, account or service.");
        };
    }

    private MatchedOperation matchAccount(String comp, String restype) {
        if (restype.equals("service")) {
            return matchedOnAccount(Resource.SERVICE, comp);
        }
        if (!restype.isEmpty() && !comp.equals("batch")) {
            throw BlobOperations.TABLE.contains(Resource.ACCOUNT, comp) ? unsupportedVerb() : invalidComp();
        }
        return matchedOnAccount(Resource.ACCOUNT, comp);
    }

    private MatchedOperation matchedOnAccount(Resource resource, String comp) {
        Operation<Handlers, BlobCall> operation = BlobOperations.TABLE
                .find(resource, comp, request.method(), request)
                .orElseThrow(() -> BlobOperations.TABLE.contains(resource, comp) ? unsupportedVerb() : invalidComp());
        return matched(operation, Optional.empty(), Optional.empty(), OptionalLong.empty());
    }

    private MatchedOperation matchContainer(ContainerName name, String comp) {
        if (comp.equals("undelete") || comp.equals("rename")) {
            throw Unsupported.notBuilt("comp=" + comp + " on a container");
        }
        Operation<Handlers, BlobCall> operation = BlobOperations.TABLE
                .find(Resource.CONTAINER, comp, request.method(), request)
                .orElseThrow(() ->
                        BlobOperations.TABLE.contains(Resource.CONTAINER, comp) ? unsupportedVerb() : invalidComp());
        return matched(operation, Optional.of(name), Optional.empty(), OptionalLong.empty());
    }

    private MatchedOperation matchBlob(BlobAddress address, String comp) {
        String verb = request.method();
        if (verb.equals("HEAD") && !isSnapshot(request.query("snapshot").orElse(""))) {
            return badHead();
        }
        OptionalLong snapshot = snapshot();
        if (OPTIONAL_COMPS.contains(comp)) {
            throw Unsupported.notBuilt("comp=" + comp + " on blobs");
        }
        if (verb.equals("PUT") && snapshot.isPresent() && !comp.equals("tier")) {
            throw new StorageException(
                    comp.equals("lease") ? StorageError.INVALID_QUERY_PARAMETER_VALUE : StorageError.INVALID_OPERATION);
        }
        Operation<Handlers, BlobCall> operation =
                BlobOperations.onBlob(request).orElseThrow(() -> noBlobOperation(comp));
        return matched(operation, Optional.of(address.container()), Optional.of(address), snapshot);
    }

    /** As recorded, the response to such a HEAD has no error code. */
    private MatchedOperation badHead() {
        return MatchedOperation.none(() -> {
            request.trace().failed(StorageError.INVALID_QUERY_PARAMETER_VALUE);
            return new Response(400).refusedBeforeRouting();
        });
    }

    private StorageException noBlobOperation(String comp) {
        String verb = request.method();
        if (verb.equals("PUT") && comp.isEmpty()) {
            return noBlobType();
        }
        boolean knownVerb = request.isRead() || verb.equals("PUT");
        return knownVerb && !BlobOperations.TABLE.contains(Resource.BLOB, comp) ? invalidComp() : unsupportedVerb();
    }

    private StorageException noBlobType() {
        Optional<String> type = request.header(BlobOperations.TYPE).map(String::strip);
        if (type.isEmpty()) {
            return BlobConditions.missing(BlobOperations.TYPE);
        }
        return type.get().equalsIgnoreCase("pageblob")
                ? Unsupported.notBuilt("page blobs")
                : BlobConditions.invalid(BlobOperations.TYPE);
    }

    private static StorageException unsupportedVerb() {
        return new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
    }

    private static StorageException invalidComp() {
        return new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
    }

    private MatchedOperation matched(
            Operation<Handlers, BlobCall> operation,
            Optional<ContainerName> container,
            Optional<BlobAddress> blob,
            OptionalLong snapshot) {
        Optional<String> on =
                blob.isPresent() ? Optional.of(BlobCall.resource(blob.get())) : container.map(ContainerName::value);
        return MatchedOperation.of(
                operation,
                handlers,
                grant -> checked(operation, new BlobCall(request, grant, container, blob, snapshot)),
                on,
                on,
                container.filter(ContainerName.LOGS::equals).isPresent());
    }

    private static BlobCall checked(Operation<Handlers, BlobCall> operation, BlobCall call) {
        if (call.blobTarget().isPresent() && !call.request().isRead()) {
            UnsupportedHeaders.check(call.request(), operation);
        }
        return call;
    }

    private OptionalLong snapshot() {
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
}
