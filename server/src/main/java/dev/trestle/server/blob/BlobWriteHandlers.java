package dev.trestle.server.blob;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.AppendBlobs;
import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.BlobType;
import dev.trestle.blob.BlockBlobs;
import dev.trestle.blob.Conditions;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.NewBlob;
import dev.trestle.blob.StagedContent;
import dev.trestle.blob.Tier;
import dev.trestle.blob.TierConditions;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.pipeline.MetadataHeaders;
import dev.trestle.server.pipeline.ProtocolVersion;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestParameters;
import dev.trestle.server.pipeline.Response;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Handlers of the operations that create, change and delete blobs. */
final class BlobWriteHandlers {
    private static final String TIER = "x-ms-access-tier";
    private static final String BLOCKS_SINCE = "2019-12-12";
    private static final String APPENDS_SINCE = "2022-11-02";
    private static final long SMALL_APPEND_BYTES_MAX = 4L << 20;
    private static final Set<String> TIERS = Set.of("Hot", "Cool", "Cold", "Archive");

    private final BlobService blobs;
    private final BlobUploads uploads;
    private final CopyHandlers copies;

    BlobWriteHandlers(BlobService blobs, CopyHandlers copies) {
        this.blobs = blobs;
        this.uploads = new BlobUploads(blobs);
        this.copies = copies;
    }

    CompletionStage<Response> put(BlobCall call) {
        Request request = call.request();
        BlobAddress address = call.blob();
        ContentChecksums checks = ContentChecksums.ofBlob(request);
        NewBlob made =
                newBlob(request, call.grant(), contentHeaders(request, true).withDefaultType());
        long bytesMax = limit(request, BLOCKS_SINCE, Limits.BLOB_PUT_BYTES_MAX, 256L << 20);
        return blobs.check(address, BlobType.BLOCK, early(made, checks))
                .thenCompose(allowed -> uploads.take(request, address, bytesMax, checks))
                .thenCompose(staged -> put(blobs, address, made, staged).thenApply(response -> {
                    response.header("Content-MD5", ContentChecksums.base64(staged.md5()));
                    return checks.supportsCrc64()
                            ? response.header("x-ms-content-crc64", ContentChecksums.crc64(staged))
                            : response;
                }));
    }

    /** Returns a limit that depends on the protocol version. */
    private static long limit(Request request, String since, long now, long before) {
        return ProtocolVersion.isSince(request, since) ? now : before;
    }

    /** Returns the properties of a new blob that are checked before its content arrives. */
    static NewBlob early(NewBlob made, ContentChecksums checks) {
        return checks.given() ? made.evenIfPresent() : made;
    }

    /** Creates a blob from received content. */
    static CompletionStage<Response> put(BlobService blobs, BlobAddress address, NewBlob made, StagedContent staged) {
        return blobs.blocks().put(address, withMd5(made, staged), staged).thenApply(blob -> written(201, blob));
    }

    private static NewBlob withMd5(NewBlob made, StagedContent staged) {
        return made.withHeaders(made.headers().withMd5(ContentChecksums.base64(staged.md5())));
    }

    static void requireEmptyBody(Request request) {
        if (request.content().mayHaveBytes()) {
            throw BlobConditions.invalid("Content-Length");
        }
    }

    CompletionStage<Response> createAppend(BlobCall call) {
        Request request = call.request();
        BlobAddress address = call.blob();
        requireEmptyBody(request);
        // Append blobs have no tiers.
        UnsupportedHeaders.refuse(request, List.of(TIER));
        return blobs.appends()
                .create(
                        address,
                        newBlob(
                                request,
                                call.grant(),
                                contentHeaders(request, true).withDefaultType()))
                .thenApply(blob -> written(201, blob));
    }

    static NewBlob newBlob(Request request, Grant grant, ContentHeaders headers) {
        return new NewBlob(
                        headers,
                        MetadataHeaders.read(request.headers()),
                        tier(request),
                        BlobConditions.ofWriter(request),
                        grant.mayOverwrite())
                .withTags(TagHeaders.tags(request));
    }

    static Optional<String> tier(Request request) {
        return request.header(TIER).map(BlobWriteHandlers::tier);
    }

    static Tier.Priority priority(Request request) {
        String name = "x-ms-rehydrate-priority";
        return request.header(name)
                .map(word -> Tier.Priority.of(word.strip()).orElseThrow(() -> BlobConditions.invalid(name)))
                .orElse(Tier.Priority.STANDARD);
    }

    private static String tier(String text) {
        return TIERS.stream()
                .filter(tier -> tier.equalsIgnoreCase(text.strip()))
                .findFirst()
                .orElseThrow(() -> BlobConditions.invalid(TIER));
    }

    /**
     * Parses the content headers of a blob.
     *
     * @param plain whether the headers of the body are defaults for those of the blob
     */
    static ContentHeaders contentHeaders(Request request, boolean plain) {
        return new ContentHeaders(
                contentHeader(request, "x-ms-blob-content-type", plain ? "Content-Type" : ""),
                contentHeader(request, "x-ms-blob-content-encoding", plain ? "Content-Encoding" : ""),
                contentHeader(request, "x-ms-blob-content-language", plain ? "Content-Language" : ""),
                contentHeader(request, "x-ms-blob-content-disposition", ""),
                contentHeader(request, "x-ms-blob-cache-control", plain ? "Cache-Control" : ""),
                ContentChecksums.blobMd5(request));
    }

    private static String contentHeader(Request request, String name, String otherwise) {
        return request.header(name)
                .or(() -> otherwise.isEmpty() ? Optional.empty() : request.header(otherwise))
                .map(String::strip)
                .orElse("");
    }

    private static Response written(int status, Blob blob) {
        return BlobReadHandlers.tags(new Response(status), blob).header("x-ms-request-server-encrypted", "true");
    }

    CompletionStage<Response> putBlock(BlobCall call) {
        return putBlock(call, false);
    }

    CompletionStage<Response> putBlockFromUrl(BlobCall call) {
        return putBlock(call, true);
    }

    private CompletionStage<Response> putBlock(BlobCall call, boolean fromUrl) {
        Request request = call.request();
        BlobAddress address = call.blob();
        String id = blockId(request);
        Optional<UUID> lease = BlobConditions.lease(request);
        long bytesMax = limit(request, BLOCKS_SINCE, Limits.BLOCK_BYTES_MAX, 100L << 20);
        ContentChecksums checks = fromUrl ? ContentChecksums.ofSource(request) : ContentChecksums.of(request);
        if (!fromUrl && request.content().declaredLength().orElse(1) == 0) {
            throw BlobConditions.invalid("Content-Length");
        }
        return checkMayReplace(call.grant(), address, lease)
                .thenCompose(may -> blobs.blocks().checkBlock(address, id, lease))
                .thenCompose(allowed -> fromUrl
                        ? copies.stage(call, checks, bytesMax)
                        : uploads.take(request, address, bytesMax, checks))
                .thenCompose(staged -> blobs.blocks()
                        .putBlock(address, id, lease, staged)
                        .thenApply(done -> checks.addTo(
                                new Response(201).header("x-ms-request-server-encrypted", "true"), staged)));
    }

    /** Fails if the blob exists and the caller may only create blobs. */
    private CompletionStage<Void> checkMayReplace(Grant grant, BlobAddress address, Optional<UUID> lease) {
        if (grant.mayOverwrite()) {
            return CompletableFuture.completedFuture(null);
        }
        AccessConditions guard = new AccessConditions(Conditions.NONE, lease);
        return blobs.check(
                address,
                BlobType.BLOCK,
                new NewBlob(ContentHeaders.NONE, Map.of(), Optional.empty(), guard, grant.mayOverwrite()));
    }

    private static String blockId(Request request) {
        String id = RequestParameters.required(request, "blockid");
        checkBlockId(id);
        return id;
    }

    private static void checkBlockId(String id) {
        try {
            byte[] bytes = Base64.getDecoder().decode(id);
            if (bytes.length > Limits.BLOCK_ID_BYTES_MAX) {
                throw new StorageException(StorageError.OUT_OF_RANGE_INPUT);
            }
        } catch (IllegalArgumentException e) {
            throw new StorageException(StorageError.INVALID_BLOCK_ID);
        }
    }

    CompletionStage<Response> putBlockList(BlobCall call) {
        Request request = call.request();
        BlobAddress address = call.blob();
        ContentChecksums checks = ContentChecksums.of(request);
        NewBlob made =
                newBlob(request, call.grant(), contentHeaders(request, false).withDefaultType());
        return blobs.check(address, BlobType.BLOCK, early(made, checks))
                .thenCompose(allowed -> TagHandlers.collectDocument(request))
                .thenCompose(whole -> {
                    byte[] document = Arrays.copyOfRange(request.body(), 0, request.bodyLength());
                    checks.verify(document);
                    List<BlockBlobs.Wanted> wanted = BlobXml.readBlocks(document, 0, document.length);
                    return blobs.blocks()
                            .commit(address, wanted, made)
                            .thenApply(blob -> checks.addTo(written(201, blob), document));
                });
    }

    CompletionStage<Response> append(BlobCall call) {
        return append(call, false);
    }

    CompletionStage<Response> appendFromUrl(BlobCall call) {
        return append(call, true);
    }

    private CompletionStage<Response> append(BlobCall call, boolean fromUrl) {
        Request request = call.request();
        BlobAddress address = call.blob();
        ContentChecksums checks =
                (fromUrl ? ContentChecksums.ofSource(request) : ContentChecksums.of(request)).ofAppend();
        long bytesMax = limit(request, APPENDS_SINCE, Limits.APPEND_BYTES_MAX, SMALL_APPEND_BYTES_MAX);
        long declared = request.content().declaredLength().orElse(1);
        if (!fromUrl && declared == 0) {
            throw BlobConditions.invalid("Content-Length");
        }
        AccessConditions guard = BlobConditions.ofWriter(request);
        if (!fromUrl) {
            BlobConditions.refuseImpossibleETags(request);
        }
        AppendBlobs.Terms terms = new AppendBlobs.Terms(
                guard,
                number(request, "x-ms-blob-condition-appendpos"),
                number(request, "x-ms-blob-condition-maxsize"));
        return blobs.appends()
                .check(address, terms, declared)
                .thenCompose(allowed -> fromUrl
                        ? copies.stage(call, checks, bytesMax)
                        : uploads.take(request, address, bytesMax, checks))
                .thenCompose(staged -> blobs.appends()
                        .append(address, staged, terms)
                        .thenApply(appended -> checks.addTo(
                                written(201, appended.blob())
                                        .header("x-ms-blob-append-offset", Long.toString(appended.offset()))
                                        .header(
                                                "x-ms-blob-committed-block-count",
                                                Integer.toString(appended.blob().appends())),
                                staged)));
    }

    private static OptionalLong number(Request request, String name) {
        Optional<String> text = request.header(name).map(String::strip);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            long number = Long.parseLong(text.get());
            if (number >= 0) {
                return OptionalLong.of(number);
            }
        } catch (NumberFormatException e) {
            throw BlobConditions.invalid(name);
        }
        throw BlobConditions.invalid(name);
    }

    CompletionStage<Response> seal(BlobCall call) {
        Request request = call.request();
        BlobAddress address = call.blob();
        return blobs.appends()
                .seal(address, BlobConditions.ofWriter(request), number(request, "x-ms-blob-condition-appendpos"))
                .thenApply(
                        blob -> BlobReadHandlers.tags(new Response(200), blob).header("x-ms-blob-sealed", "true"));
    }

    CompletionStage<Response> setProperties(BlobCall call) {
        Request request = call.request();
        BlobAddress address = call.blob();
        return blobs.setHeaders(address, BlobConditions.ofWriter(request), contentHeaders(request, false))
                .thenApply(blob -> BlobReadHandlers.tags(new Response(200), blob));
    }

    CompletionStage<Response> setMetadata(BlobCall call) {
        Request request = call.request();
        BlobAddress address = call.blob();
        return blobs.setMetadata(address, BlobConditions.ofWriter(request), MetadataHeaders.read(request.headers()))
                .thenApply(blob -> written(200, blob));
    }

    CompletionStage<Response> setTier(BlobCall call) {
        Request request = call.request();
        BlobAddress address = call.blob();
        String tier = tier(request).orElseThrow(() -> BlobConditions.missing(TIER));
        return blobs.setTier(address, call.snapshot(), BlobConditions.ofWriter(request), tier, priority(request))
                .thenApply(blob -> new Response(blob.tier().rehydration().isPresent() ? 202 : 200));
    }

    CompletionStage<Response> snapshot(BlobCall call) {
        Request request = call.request();
        BlobAddress address = call.blob();
        return blobs.snapshot(address, BlobConditions.ofWriter(request), MetadataHeaders.read(request.headers()))
                .thenApply(taken -> BlobReadHandlers.tags(new Response(201), taken)
                        .header("x-ms-request-server-encrypted", "false")
                        .header("x-ms-snapshot", Ticks.format(taken.snapshot().orElseThrow(), true)));
    }

    CompletionStage<Response> lease(BlobCall call) {
        Request request = call.request();
        BlobAddress address = call.blob();
        LeaseRequest lease = LeaseRequest.of(request);
        return blobs.lease(address, BlobConditions.ofWriter(request), lease.action())
                .thenApply(blob -> lease.addTo(
                        BlobReadHandlers.tags(new Response(lease.status()), blob), blob.lease(), blobs.now()));
    }

    CompletionStage<Response> delete(BlobCall call) {
        Request request = call.request();
        BlobAddress address = call.blob();
        String header = "x-ms-delete-snapshots";
        Optional<String> snapshots =
                request.header(header).map(text -> text.strip().toLowerCase(Locale.ROOT));
        AccessConditions guard = BlobConditions.ofWriter(request);
        TierConditions tierConditions = BlobConditions.ofTier(request);
        CompletionStage<Void> deleted;
        if (call.snapshot().isPresent()) {
            if (snapshots.isPresent()) {
                throw BlobConditions.invalid(header);
            }
            deleted = blobs.deleteSnapshot(address, call.snapshot().getAsLong(), guard, tierConditions);
        } else {
            deleted = blobs.delete(
                    address,
                    guard,
                    tierConditions,
                    switch (snapshots.orElse("")) {
                        case "" -> BlobService.Snapshots.REFUSE;
                        case "include" -> BlobService.Snapshots.INCLUDE;
                        case "only" -> BlobService.Snapshots.ONLY;
                        default -> throw BlobConditions.invalid(header);
                    });
        }
        return deleted.thenApply(done -> new Response(202).header("x-ms-delete-type-permanent", "true"));
    }
}
