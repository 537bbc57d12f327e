package dev.trestle.server.http;

import dev.trestle.blob.BlobETag;
import dev.trestle.blob.BlobLister;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Container;
import dev.trestle.blob.Containers;
import dev.trestle.blob.Lease;
import dev.trestle.model.ContainerName;
import dev.trestle.model.Limits;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.Operation;
import dev.trestle.server.protocol.AclXml;
import dev.trestle.server.protocol.BlobXml;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The operations on containers, and on what they hold as a whole. */
final class ContainerRoutes {
    private static final String PERMISSIONS = "racwdxyltmeopfi";
    private static final String ACCESS = "x-ms-blob-public-access";

    /** What may be asked to be listed too; of some of it there is never any here. */
    private static final Set<String> INCLUDES = Set.of(
            "snapshots",
            "metadata",
            "uncommittedblobs",
            "copy",
            "deleted",
            "tags",
            "versions",
            "deletedwithversions",
            "immutabilitypolicy",
            "legalhold",
            "permissions");

    /** Parameters of listings that would leave out what is listed here. */
    private static final Set<String> NOT_BUILT = Set.of("endBefore", "showonly");

    private static final Set<String> CONTAINER_INCLUDES = Set.of("metadata", "deleted", "system");

    private final BlobService blobs;
    private final TagRoutes tags;
    private final boolean publicAccess;

    /** @param publicAccess whether containers may be opened to everybody */
    ContainerRoutes(BlobService blobs, TagRoutes tags, boolean publicAccess) {
        this.blobs = blobs;
        this.tags = tags;
        this.publicAccess = publicAccess;
    }

    CompletionStage<Response> serve(Request request, Grant grant, String verb, ContainerName name, String comp) {
        boolean read = verb.equals("GET") || verb.equals("HEAD");
        boolean write = verb.equals("PUT");
        if (comp.isEmpty() && read) {
            return properties(request, grant, name, OperationName.GET_CONTAINER_PROPERTIES);
        } else if (comp.isEmpty() && write) {
            return create(request, grant, name);
        } else if (comp.isEmpty() && verb.equals("DELETE")) {
            return delete(request, grant, name);
        } else if (comp.equals("metadata") && read) {
            return properties(request, grant, name, OperationName.GET_CONTAINER_METADATA);
        } else if (comp.equals("metadata") && write) {
            return setMetadata(request, grant, name);
        } else if (comp.equals("acl") && read) {
            return getAcl(request, grant, name);
        } else if (comp.equals("acl") && write) {
            return setAcl(request, grant, name);
        } else if (comp.equals("lease") && write) {
            return lease(request, grant, name);
        } else if (comp.equals("list") && verb.equals("GET")) {
            return listBlobs(request, grant, name);
        } else if (comp.equals("blobs") && verb.equals("GET")) {
            return tags.find(request, grant, name);
        } else if (Set.of("", "metadata", "acl", "lease", "list", "blobs").contains(comp)) {
            throw new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
        } else if (Set.of("undelete", "rename").contains(comp)) {
            throw BlobRoutes.notBuilt("comp=" + comp + " on a container");
        }
        throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
    }

    CompletionStage<Response> list(Request request, Grant grant) {
        request.trace().begin(OperationName.LIST_CONTAINERS);
        grant.check(Operation.LIST_CONTAINERS, Optional.empty());
        Set<String> include = RequestParameters.include(request, CONTAINER_INCLUDES);
        Optional<String> marker = RequestParameters.marker(request);
        BlobXml.Asked asked = asked(request, include);
        return blobs.containers()
                .list(
                        request.account(),
                        asked.prefix().orElse(""),
                        asked.max().orElse(Limits.BLOBS_PAGE_MAX),
                        marker.map(text -> decodeMarker(text).name()))
                .thenApply(page -> new Response(200)
                        .body(
                                "application/xml",
                                BlobXml.containers(
                                        asked,
                                        include.contains("system") ? page : withoutOfTheService(page),
                                        page.next()
                                                .map(next -> encodeMarker(new BlobLister.Cursor(next, "")))
                                                .orElse(""))));
    }

    private static Containers.Page withoutOfTheService(Containers.Page page) {
        return new Containers.Page(
                page.containers().stream()
                        .filter(container -> !container.name().equals(ContainerName.LOGS.value()))
                        .toList(),
                page.next());
    }

    private BlobXml.Asked asked(Request request, Set<String> include) {
        return new BlobXml.Asked(
                request.address().baseUrl() + "/",
                request.query("prefix"),
                request.query("marker"),
                request.query("delimiter").filter(text -> !text.isEmpty()),
                RequestParameters.max(request, Limits.BLOBS_PAGE_MAX),
                include.contains("metadata"),
                include.contains("copy"),
                include.contains("tags"),
                blobs.now());
    }

    /** A marker says where to go on, in a form that nobody takes for a name. */
    static String encodeMarker(BlobLister.Cursor cursor) {
        byte[] text = (cursor.name() + "\n" + cursor.row()).getBytes(StandardCharsets.UTF_8);
        return "2!" + Base64.getUrlEncoder().withoutPadding().encodeToString(text);
    }

    static BlobLister.Cursor decodeMarker(String marker) {
        try {
            if (marker.startsWith("2!")) {
                byte[] bytes = Base64.getUrlDecoder().decode(marker.substring(2));
                String text = new String(bytes, StandardCharsets.UTF_8);
                int line = text.lastIndexOf('\n');
                if (line >= 0) {
                    return new BlobLister.Cursor(text.substring(0, line), text.substring(line + 1));
                }
            }
        } catch (IllegalArgumentException e) {
            throw RequestParameters.invalid("marker", marker, "It has to be one that a listing gave.");
        }
        throw RequestParameters.invalid("marker", marker, "It has to be one that a listing gave.");
    }

    private CompletionStage<Response> listBlobs(Request request, Grant grant, ContainerName name) {
        request.trace().begin(OperationName.LIST_BLOBS, name.value());
        grant.check(Operation.LIST_BLOBS, Optional.of(name.value()));
        for (String parameter : NOT_BUILT) {
            if (request.query(parameter).isPresent()) {
                throw BlobRoutes.notBuilt(parameter + " in listings");
            }
        }
        Set<String> include = RequestParameters.include(request, INCLUDES);
        if (include.contains("tags")) {
            grant.check(Operation.LIST_BLOB_TAGS, Optional.of(name.value()));
        }
        BlobXml.Asked asked = asked(request, include);
        boolean snapshots = include.contains("snapshots");
        if (snapshots && asked.delimiter().isPresent()) {
            throw RequestParameters.invalid("include", "snapshots", "Snapshots cannot be listed with a delimiter.");
        }
        BlobLister.Query query = new BlobLister.Query(
                asked.prefix().orElse(""),
                asked.delimiter().orElse(""),
                asked.max().orElse(Limits.BLOBS_PAGE_MAX),
                snapshots,
                include.contains("uncommittedblobs"));
        BlobLister.Cursor from = RequestParameters.marker(request)
                .map(ContainerRoutes::decodeMarker)
                .orElseGet(
                        () -> new BlobLister.Cursor(request.query("startFrom").orElse(""), ""));
        return blobs.lister()
                .list(request.account(), name, query, from)
                .thenApply(page -> new Response(200)
                        .body(
                                "application/xml",
                                BlobXml.blobs(
                                        name.value(),
                                        asked,
                                        page,
                                        page.next()
                                                .map(ContainerRoutes::encodeMarker)
                                                .orElse(""))));
    }

    private CompletionStage<Response> create(Request request, Grant grant, ContainerName name) {
        request.trace().begin(OperationName.CREATE_CONTAINER, name.value());
        grant.check(Operation.CREATE_CONTAINER, Optional.of(name.value()));
        refuseOfTheService(name);
        Map<String, String> metadata = MetadataHeaders.read(request.headers());
        return blobs.containers()
                .create(request.account(), name, metadata, access(request))
                .thenApply(container -> changed(201, container));
    }

    /** What the service writes itself its clients may read and delete from, and no more. */
    static void refuseOfTheService(ContainerName name) {
        if (name.equals(ContainerName.LOGS)) {
            throw new StorageException(StorageError.INSUFFICIENT_ACCOUNT_PERMISSIONS);
        }
    }

    private PublicAccess access(Request request) {
        PublicAccess access = PublicAccess.of(request.header(ACCESS).orElse("").strip())
                .orElseThrow(() -> BlobConditions.invalid(ACCESS));
        if (access != PublicAccess.NONE && !publicAccess) {
            throw new StorageException(
                    StorageError.PUBLIC_ACCESS_NOT_PERMITTED,
                    "Public access is not permitted on this storage account. A server started with --public-access"
                            + " permits it.");
        }
        return access;
    }

    private static Response changed(int status, Container container) {
        return new Response(status)
                .header("ETag", '"' + BlobETag.format(container.modified()) + '"')
                .header("Last-Modified", Ticks.formatHttp(container.modified()));
    }

    private CompletionStage<Response> delete(Request request, Grant grant, ContainerName name) {
        request.trace().begin(OperationName.DELETE_CONTAINER, name.value());
        grant.check(Operation.DELETE_CONTAINER, Optional.of(name.value()));
        refuseOfTheService(name);
        return blobs.containers()
                .delete(request.account(), name, BlobConditions.ofWriter(request))
                .thenApply(done -> new Response(202));
    }

    private CompletionStage<Response> properties(
            Request request, Grant grant, ContainerName name, OperationName operation) {
        request.trace().begin(operation, name.value());
        grant.check(Operation.GET_CONTAINER_PROPERTIES, Optional.of(name.value()));
        return blobs.containers()
                .container(request.account(), name, BlobConditions.lease(request))
                .thenApply(container -> {
                    Response response = changed(200, container);
                    MetadataHeaders.write(container.metadata(), response);
                    if (operation == OperationName.GET_CONTAINER_PROPERTIES) {
                        lease(response, container.lease(), blobs.now());
                        access(response, container);
                        response.header("x-ms-default-encryption-scope", "$account-encryption-key")
                                .header("x-ms-deny-encryption-scope-override", "false")
                                .header("x-ms-has-immutability-policy", "false")
                                .header("x-ms-has-legal-hold", "false")
                                .header("x-ms-immutable-storage-with-versioning-enabled", "false");
                    }
                    return response;
                });
    }

    /** What anybody who reads is told of a lease. */
    static void lease(Response response, Lease lease, long now) {
        Lease.State state = lease.state(now);
        response.header("x-ms-lease-status", state.isLocked() ? "locked" : "unlocked")
                .header("x-ms-lease-state", state.word());
        if (state == Lease.State.LEASED) {
            response.header("x-ms-lease-duration", lease.seconds() == Lease.INFINITE ? "infinite" : "fixed");
        }
    }

    private static void access(Response response, Container container) {
        if (container.access() != PublicAccess.NONE) {
            response.header(ACCESS, container.access().word());
        }
    }

    private CompletionStage<Response> setMetadata(Request request, Grant grant, ContainerName name) {
        request.trace().begin(OperationName.SET_CONTAINER_METADATA, name.value());
        grant.check(Operation.SET_CONTAINER_METADATA, Optional.of(name.value()));
        refuseOfTheService(name);
        return blobs.containers()
                .setMetadata(
                        request.account(),
                        name,
                        BlobConditions.ofWriter(request),
                        MetadataHeaders.read(request.headers()))
                .thenApply(container -> changed(200, container));
    }

    private CompletionStage<Response> getAcl(Request request, Grant grant, ContainerName name) {
        request.trace().begin(OperationName.GET_CONTAINER_ACL, name.value());
        grant.check(Operation.GET_CONTAINER_ACL, Optional.of(name.value()));
        return blobs.containers()
                .container(request.account(), name, BlobConditions.lease(request))
                .thenApply(container -> {
                    Response response = changed(200, container);
                    access(response, container);
                    return response.body("application/xml", AclXml.write(container.policies()));
                });
    }

    private CompletionStage<Response> setAcl(Request request, Grant grant, ContainerName name) {
        request.trace().begin(OperationName.SET_CONTAINER_ACL, name.value());
        grant.check(Operation.SET_CONTAINER_ACL, Optional.of(name.value()));
        refuseOfTheService(name);
        PublicAccess access = access(request);
        return BlobRoutes.document(request)
                .thenCompose(whole -> blobs.containers()
                        .setAccess(
                                request.account(),
                                name,
                                BlobConditions.ofWriter(request),
                                AclXml.read(request.body(), request.bodyOffset(), request.bodyLength(), PERMISSIONS),
                                access))
                .thenApply(container -> changed(200, container));
    }

    private CompletionStage<Response> lease(Request request, Grant grant, ContainerName name) {
        request.trace().begin(OperationName.LEASE_CONTAINER, name.value());
        LeaseRequest lease = LeaseRequest.of(request);
        grant.check(
                lease.kind() == LeaseRequest.Kind.BREAK ? Operation.BREAK_CONTAINER_LEASE : Operation.LEASE_CONTAINER,
                Optional.of(name.value()));
        refuseOfTheService(name);
        return blobs.containers()
                .lease(request.account(), name, BlobConditions.ofWriter(request).conditions(), lease.action())
                .thenApply(container -> lease.told(changed(lease.status(), container), container.lease(), blobs.now()));
    }
}
