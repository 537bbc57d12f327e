package dev.trestle.server.blob;

import dev.trestle.blob.AccessConditions;
import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.BlobService.Range;
import dev.trestle.blob.BlobType;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.Copies;
import dev.trestle.blob.Crc64;
import dev.trestle.blob.NewBlob;
import dev.trestle.blob.StagedContent;
import dev.trestle.blob.Tier;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.pipeline.MetadataHeaders;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestParameters;
import dev.trestle.server.pipeline.Response;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Handlers of the operations that copy from another blob. */
final class CopyHandlers {
    private final BlobService blobs;
    private final CopySources sources;

    CopyHandlers(BlobService blobs, CopySources sources) {
        this.blobs = blobs;
        this.sources = sources;
    }

    CompletionStage<Response> putFromUrl(BlobCall call) {
        Request request = call.request();
        Grant grant = call.grant();
        BlobAddress address = call.blob();
        BlobWriteHandlers.requireEmptyBody(request);
        ContentChecksums checks = ContentChecksums.ofSource(request);
        boolean copiesTags = TagHeaders.copiesTags(request);
        boolean keepsProperties = !request.header("x-ms-copy-source-blob-properties")
                .orElse("true")
                .strip()
                .equalsIgnoreCase("false");
        return sources.ofUrl(request, grant, true)
                .thenCompose(source -> blobs.copies().find(source).thenCompose(found -> {
                    ContentHeaders requested = BlobWriteHandlers.contentHeaders(request, false);
                    ContentHeaders headers =
                            keepsProperties ? or(requested, found.headers()) : requested.withDefaultType();
                    NewBlob plain = BlobWriteHandlers.newBlob(request, grant, headers);
                    NewBlob made = copiesTags ? plain.withTags(found.tags().values()) : plain;
                    return blobs.check(address, BlobType.BLOCK, BlobWriteHandlers.early(made, checks))
                            .thenCompose(allowed -> stage(request, address, source, checks, Limits.BLOB_PUT_BYTES_MAX))
                            .thenCompose(staged -> BlobWriteHandlers.put(blobs, address, made, staged)
                                    .thenApply(response -> checks.addTo(response, staged)));
                }));
    }

    private static ContentHeaders or(ContentHeaders requested, ContentHeaders found) {
        return new ContentHeaders(
                requested.type().isEmpty() ? found.type() : requested.type(),
                requested.encoding().isEmpty() ? found.encoding() : requested.encoding(),
                requested.language().isEmpty() ? found.language() : requested.language(),
                requested.disposition().isEmpty() ? found.disposition() : requested.disposition(),
                requested.cacheControl().isEmpty() ? found.cacheControl() : requested.cacheControl(),
                found.md5());
    }

    /** Reads a range of the source as if it were the body of the request. */
    CompletionStage<StagedContent> stage(BlobCall call, ContentChecksums checks, long bytesMax) {
        BlobWriteHandlers.requireEmptyBody(call.request());
        return sources.ofUrl(call.request(), call.grant(), true)
                .thenCompose(source -> stage(call.request(), call.blob(), source, checks, bytesMax));
    }

    private CompletionStage<StagedContent> stage(
            Request request, BlobAddress address, Copies.Source source, ContentChecksums checks, long bytesMax) {
        Optional<RangeHeader> range = request.header("x-ms-source-range")
                .map(text -> RangeHeader.parse(text).orElseThrow(() -> BlobConditions.invalid("x-ms-source-range")));
        return blobs.copies()
                .stage(
                        source,
                        address,
                        blob -> range.map(requested -> requested.of(blob.length()))
                                .orElse(new Range(0, blob.length())),
                        bytesMax)
                .thenCompose(staged -> blobs.checked(staged, checks::verify));
    }

    CompletionStage<Response> copy(BlobCall call) {
        return copy(call, false);
    }

    CompletionStage<Response> copyFromUrl(BlobCall call) {
        return copy(call, true);
    }

    private CompletionStage<Response> copy(BlobCall call, boolean sync) {
        Request request = call.request();
        Grant grant = call.grant();
        BlobAddress address = call.blob();
        BlobWriteHandlers.requireEmptyBody(request);
        Tier.Priority priority = BlobWriteHandlers.priority(request);
        ContentChecksums checks = ContentChecksums.ofSource(request);
        Map<String, String> metadata = MetadataHeaders.read(request.headers());
        Optional<String> tier = BlobWriteHandlers.tier(request);
        AccessConditions guard = BlobConditions.ofWriter(request);
        Optional<Boolean> seal = seal(request);
        boolean copiesTags = TagHeaders.copiesTags(request);
        Map<String, String> tags = TagHeaders.tags(request);
        return (sync ? sources.ofUrl(request, grant, false) : sources.copied(request, grant))
                .thenCompose(source -> checked(source, checks))
                .thenCompose(source -> blobs.copies()
                        .copy(
                                source,
                                address,
                                found -> {
                                    if (sync && found.length() > Limits.COPIED_BYTES_MAX) {
                                        throw BlobUploads.tooLarge(Limits.COPIED_BYTES_MAX);
                                    }
                                    return new NewBlob(
                                            found.headers(),
                                            metadata.isEmpty() ? found.metadata() : metadata,
                                            tier,
                                            guard,
                                            grant.mayOverwrite(),
                                            !sync,
                                            priority,
                                            copiesTags ? found.tags().values() : tags);
                                },
                                seal))
                .thenApply(copied -> response(copied, sync, checks));
    }

    private static Optional<Boolean> seal(Request request) {
        return request.header("x-ms-seal-blob").map(text -> switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw BlobConditions.invalid("x-ms-seal-blob");
        });
    }

    /** Returns the source; if the request has a checksum, after reading and comparing the content. */
    private CompletionStage<Copies.Source> checked(Copies.Source source, ContentChecksums checks) {
        if (checks.md5().isEmpty()) {
            return CompletableFuture.completedFuture(source);
        }
        return blobs.copies().sum(source).thenApply(summed -> {
            checks.verifyMd5(summed.md5());
            return summed.source();
        });
    }

    private static Response response(Copies.Copied copied, boolean sync, ContentChecksums checks) {
        Response response = BlobReadHandlers.tags(new Response(202), copied.blob())
                .header("x-ms-copy-id", copied.blob().copy().orElseThrow().id())
                .header("x-ms-copy-status", "success");
        if (!sync) {
            return response;
        }
        response.header("x-ms-request-server-encrypted", "true");
        return checks.md5().isPresent()
                ? response.header(
                        "Content-MD5", ContentChecksums.base64(checks.md5().get()))
                : response.header("x-ms-content-crc64", ContentChecksums.base64(Crc64.littleEndian(copied.crc64())));
    }

    /** Fails, because every copy is complete before its response. */
    CompletionStage<Response> abort(BlobCall call) {
        RequestParameters.required(call.request(), "copyid");
        return blobs.find(call.blob(), OptionalLong.empty(), AccessConditions.NONE)
                .thenCompose(found ->
                        CompletableFuture.failedFuture(new StorageException(StorageError.NO_PENDING_COPY_OPERATION)));
    }
}
