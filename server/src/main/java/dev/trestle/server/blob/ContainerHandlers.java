package dev.trestle.server.blob;

import dev.trestle.blob.BlobETag;
import dev.trestle.blob.BlobLister;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.Container;
import dev.trestle.blob.Lease;
import dev.trestle.model.ContainerName;
import dev.trestle.model.Limits;
import dev.trestle.model.Page;
import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.codec.AclXml;
import dev.trestle.server.pipeline.MetadataHeaders;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestParameters;
import dev.trestle.server.pipeline.Response;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Handlers of the operations on containers. */
final class ContainerHandlers {
    private static final String PERMISSIONS = "racwdxyltmeopfi";
    private static final String ACCESS = "x-ms-blob-public-access";

    /** The values of {@code include}; for some, this server never has any data. */
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

    /** Unsupported parameters that would restrict a listing. */
    private static final Set<String> NOT_BUILT = Set.of("endBefore", "showonly");

    private static final Set<String> CONTAINER_INCLUDES = Set.of("metadata", "deleted", "system");

    private final BlobService blobs;
    private final boolean publicAccess;

    /** @param publicAccess whether containers may allow anonymous reads */
    ContainerHandlers(BlobService blobs, boolean publicAccess) {
        this.blobs = blobs;
        this.publicAccess = publicAccess;
    }

    CompletionStage<Response> list(BlobCall call) {
        Request request = call.request();
        Set<String> include = RequestParameters.include(request, CONTAINER_INCLUDES);
        Optional<String> marker = RequestParameters.marker(request);
        BlobXml.Parameters parameters = parameters(request, include);
        return blobs.containers()
                .list(
                        call.account(),
                        parameters.prefix().orElse(""),
                        parameters.max().orElse(Limits.BLOBS_PAGE_MAX),
                        marker.map(text -> decodeMarker(text).name()))
                .thenApply(page -> new Response(200)
                        .body(
                                "application/xml",
                                BlobXml.containers(
                                        parameters,
                                        include.contains("system") ? page : withoutOfTheService(page),
                                        page.next()
                                                .map(next -> encodeMarker(new BlobLister.Cursor(next, "")))
                                                .orElse(""))));
    }

    private static Page<Container, String> withoutOfTheService(Page<Container, String> page) {
        return new Page<>(
                page.items().stream()
                        .filter(container -> !container.name().equals(ContainerName.LOGS.value()))
                        .toList(),
                page.next());
    }

    private BlobXml.Parameters parameters(Request request, Set<String> include) {
        return new BlobXml.Parameters(
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

    /** Encodes a marker in a form that cannot be mistaken for a name. */
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

    /** Whether a listing of blobs is to include their tags. */
    static boolean includesTags(Request request) {
        return RequestParameters.includeWords(request).contains("tags");
    }

    CompletionStage<Response> listBlobs(BlobCall call) {
        Request request = call.request();
        for (String parameter : NOT_BUILT) {
            if (request.query(parameter).isPresent()) {
                throw Unsupported.notBuilt(parameter + " in listings");
            }
        }
        Set<String> include = RequestParameters.include(request, INCLUDES);
        BlobXml.Parameters parameters = parameters(request, include);
        boolean snapshots = include.contains("snapshots");
        if (snapshots && parameters.delimiter().isPresent()) {
            throw RequestParameters.invalid("include", "snapshots", "Snapshots cannot be listed with a delimiter.");
        }
        BlobLister.Query query = new BlobLister.Query(
                parameters.prefix().orElse(""),
                parameters.delimiter().orElse(""),
                parameters.max().orElse(Limits.BLOBS_PAGE_MAX),
                snapshots,
                include.contains("uncommittedblobs"));
        BlobLister.Cursor from = RequestParameters.marker(request)
                .map(ContainerHandlers::decodeMarker)
                .orElseGet(
                        () -> new BlobLister.Cursor(request.query("startFrom").orElse(""), ""));
        return blobs.lister()
                .list(call.account(), call.container(), query, from)
                .thenApply(page -> new Response(200)
                        .body(
                                "application/xml",
                                BlobXml.blobs(
                                        call.container().value(),
                                        parameters,
                                        page,
                                        page.next()
                                                .map(ContainerHandlers::encodeMarker)
                                                .orElse(""))));
    }

    CompletionStage<Response> create(BlobCall call) {
        Request request = call.request();
        Map<String, String> metadata = MetadataHeaders.read(request.headers());
        return blobs.containers()
                .create(call.account(), call.container(), metadata, access(request))
                .thenApply(container -> changed(201, container));
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

    CompletionStage<Response> delete(BlobCall call) {
        Request request = call.request();
        return blobs.containers()
                .delete(call.account(), call.container(), BlobConditions.ofWriter(request))
                .thenApply(done -> new Response(202));
    }

    CompletionStage<Response> properties(BlobCall call) {
        return read(call).thenApply(container -> {
            Response response = metadata(container);
            lease(response, container.lease(), blobs.now());
            access(response, container);
            return response.header("x-ms-default-encryption-scope", "$account-encryption-key")
                    .header("x-ms-deny-encryption-scope-override", "false")
                    .header("x-ms-has-immutability-policy", "false")
                    .header("x-ms-has-legal-hold", "false")
                    .header("x-ms-immutable-storage-with-versioning-enabled", "false");
        });
    }

    CompletionStage<Response> metadata(BlobCall call) {
        return read(call).thenApply(ContainerHandlers::metadata);
    }

    private CompletionStage<Container> read(BlobCall call) {
        return blobs.containers().container(call.account(), call.container(), BlobConditions.lease(call.request()));
    }

    private static Response metadata(Container container) {
        Response response = changed(200, container);
        MetadataHeaders.write(container.metadata(), response);
        return response;
    }

    /** Adds the headers of a lease. */
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

    CompletionStage<Response> setMetadata(BlobCall call) {
        Request request = call.request();
        return blobs.containers()
                .setMetadata(
                        call.account(),
                        call.container(),
                        BlobConditions.ofWriter(request),
                        MetadataHeaders.read(request.headers()))
                .thenApply(container -> changed(200, container));
    }

    CompletionStage<Response> getAcl(BlobCall call) {
        return read(call).thenApply(container -> {
            Response response = changed(200, container);
            access(response, container);
            return response.body("application/xml", AclXml.write(container.policies()));
        });
    }

    CompletionStage<Response> setAcl(BlobCall call) {
        Request request = call.request();
        PublicAccess access = access(request);
        return blobs.containers()
                .setAccess(
                        call.account(),
                        call.container(),
                        BlobConditions.ofWriter(request),
                        AclXml.read(request.body(), 0, request.bodyLength(), PERMISSIONS),
                        access)
                .thenApply(container -> changed(200, container));
    }

    CompletionStage<Response> lease(BlobCall call) {
        Request request = call.request();
        LeaseRequest lease = LeaseRequest.of(request);
        return blobs.containers()
                .lease(
                        call.account(),
                        call.container(),
                        BlobConditions.ofWriter(request).conditions(),
                        lease.action())
                .thenApply(
                        container -> lease.addTo(changed(lease.status(), container), container.lease(), blobs.now()));
    }
}
