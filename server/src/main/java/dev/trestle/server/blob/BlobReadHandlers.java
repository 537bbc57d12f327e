package dev.trestle.server.blob;

import dev.trestle.blob.Blob;
import dev.trestle.blob.BlobETag;
import dev.trestle.blob.BlobReader;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.BlobService.Opened;
import dev.trestle.blob.BlobService.Range;
import dev.trestle.blob.BlobType;
import dev.trestle.blob.ContentHeaders;
import dev.trestle.blob.StagedContent;
import dev.trestle.blob.Tier;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.pipeline.MetadataHeaders;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestParameters;
import dev.trestle.server.pipeline.Response;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Handlers of the operations that read a blob. */
final class BlobReadHandlers {
    private final BlobService blobs;

    BlobReadHandlers(BlobService blobs) {
        this.blobs = blobs;
    }

    CompletionStage<Response> properties(BlobCall call) {
        Request request = call.request();
        return blobs.find(call.blob(), call.snapshot(), BlobConditions.ofReader(request))
                .thenApply(blob -> {
                    Response response = describe(new Response(200).headLength(blob.length()), blob, call.grant());
                    if (!blob.headers().md5().isEmpty()) {
                        response.header("Content-MD5", blob.headers().md5());
                    }
                    if (blob.type() == BlobType.BLOCK) {
                        tier(response, blob.tier().at(blobs.now()));
                    }
                    return response;
                });
    }

    private static void tier(Response response, Tier tier) {
        if (tier.name().isEmpty()) {
            response.header("x-ms-access-tier", Tier.DEFAULT_NAME).header("x-ms-access-tier-inferred", "true");
            return;
        }
        response.header("x-ms-access-tier", tier.name())
                .header("x-ms-access-tier-change-time", Ticks.formatHttp(tier.changed()));
        tier.rehydration()
                .ifPresent(pending -> response.header("x-ms-archive-status", pending.status())
                        .header("x-ms-rehydrate-priority", pending.priority().word()));
    }

    /** Adds the headers that describe a blob, except its length and checksum. */
    private Response describe(Response response, Blob blob, Grant grant) {
        contentHeaders(blob.headers(), grant).forEach((name, value) -> {
            if (!value.isEmpty()) {
                response.header(name, value);
            }
        });
        tags(response, blob)
                .header("Accept-Ranges", "bytes")
                .header("x-ms-blob-type", blob.type().word())
                .header("x-ms-creation-time", Ticks.formatHttp(blob.created()))
                .header("x-ms-server-encrypted", "true");
        MetadataHeaders.write(blob.metadata(), response);
        if (!blob.tags().isEmpty() && !grant.anonymous()) {
            response.header("x-ms-tag-count", Integer.toString(blob.tags().size()));
        }
        if (blob.snapshot().isEmpty()) {
            ContainerHandlers.lease(response, blob.lease(), blobs.now());
        }
        if (blob.type() == BlobType.APPEND) {
            response.header("x-ms-blob-committed-block-count", Integer.toString(blob.appends()));
            if (blob.sealed()) {
                response.header("x-ms-blob-sealed", "true");
            }
        }
        blob.copy()
                .ifPresent(copy -> response.header("x-ms-copy-id", copy.id())
                        .header("x-ms-copy-source", copy.source())
                        .header("x-ms-copy-status", "success")
                        .header("x-ms-copy-progress", copy.bytes() + "/" + copy.bytes())
                        .header("x-ms-copy-completion-time", Ticks.formatHttp(copy.completed())));
        return response;
    }

    static Response tags(Response response, Blob blob) {
        return response.header("ETag", '"' + BlobETag.format(blob.modified()) + '"')
                .header("Last-Modified", Ticks.formatHttp(blob.modified()));
    }

    private static Map<String, String> contentHeaders(ContentHeaders headers, Grant grant) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("Content-Type", headers.type());
        values.put("Content-Encoding", headers.encoding());
        values.put("Content-Language", headers.language());
        values.put("Content-Disposition", headers.disposition());
        values.put("Cache-Control", headers.cacheControl());
        // A SAS may override response headers.
        values.putAll(grant.responseHeaders());
        return values;
    }

    CompletionStage<Response> metadata(BlobCall call) {
        Request request = call.request();
        return blobs.find(call.blob(), call.snapshot(), BlobConditions.ofReader(request))
                .thenApply(blob -> {
                    Response response = tags(new Response(200), blob);
                    MetadataHeaders.write(blob.metadata(), response);
                    return response;
                });
    }

    CompletionStage<Response> get(BlobCall call) {
        Request request = call.request();
        Optional<RangeHeader> range = RangeHeader.of(request);
        Checksum checksum = Checksum.of(request, range.isPresent());
        return blobs.open(call.blob(), call.snapshot(), BlobConditions.ofReader(request), blob -> {
                    Range requested =
                            range.map(header -> header.of(blob.length())).orElse(new Range(0, blob.length()));
                    if (checksum != Checksum.NONE && requested.length() > Limits.CHECKED_RANGE_BYTES_MAX) {
                        throw new StorageException(StorageError.OUT_OF_RANGE_INPUT);
                    }
                    return requested;
                })
                .thenCompose(opened -> respond(opened, range.isPresent(), call.grant(), checksum));
    }

    /** The requested checksum of a range. */
    private enum Checksum {
        NONE,
        MD5,
        CRC64;

        static Checksum of(Request request, boolean ranged) {
            boolean md5 = isTrue(request, "x-ms-range-get-content-md5");
            boolean crc64 = isTrue(request, "x-ms-range-get-content-crc64");
            if (md5 && crc64) {
                throw new StorageException(StorageError.BOTH_CRC64_AND_MD5_HEADER_PRESENT);
            }
            if ((md5 || crc64) && !ranged) {
                throw BlobConditions.invalid(md5 ? "x-ms-range-get-content-md5" : "x-ms-range-get-content-crc64");
            }
            return md5 ? MD5 : crc64 ? CRC64 : NONE;
        }

        private static boolean isTrue(Request request, String name) {
            return request.header(name)
                    .orElse("")
                    .strip()
                    .toLowerCase(Locale.ROOT)
                    .equals("true");
        }
    }

    private CompletionStage<Response> respond(Opened opened, boolean ranged, Grant grant, Checksum checksum) {
        Blob blob = opened.blob();
        Response response = describe(new Response(ranged ? 206 : 200), blob, grant);
        String md5 = blob.headers().md5();
        if (ranged) {
            Range range = opened.range();
            response.header(
                    "Content-Range",
                    "bytes " + range.from() + "-" + (range.from() + range.length() - 1) + "/" + blob.length());
            if (!md5.isEmpty()) {
                response.header("x-ms-blob-content-md5", md5);
            }
        } else if (!md5.isEmpty()) {
            response.header("Content-MD5", md5);
        }
        BlobReader reader = opened.reader();
        boolean small = reader.remaining() <= StagedContent.IN_MEMORY_BYTES_MAX
                && reader.file().isEmpty();
        if (!small && checksum == Checksum.NONE) {
            return CompletableFuture.completedFuture(response.stream(new BlobBody(reader)));
        }
        ByteBuffer whole = ByteBuffer.allocate((int) reader.remaining());
        return fill(reader, whole)
                .whenComplete((read, failure) -> reader.close())
                .thenApply(read -> {
                    if (checksum != Checksum.NONE) {
                        checksum(response, checksum, whole.array());
                    }
                    return response.bytes(whole.array());
                });
    }

    private static CompletionStage<Void> fill(BlobReader reader, ByteBuffer into) {
        return reader.read(into)
                .thenCompose(read -> read == 0 ? CompletableFuture.completedFuture(null) : fill(reader, into));
    }

    private static void checksum(Response response, Checksum checksum, byte[] bytes) {
        if (checksum == Checksum.MD5) {
            response.header("Content-MD5", ContentChecksums.md5(bytes));
        } else {
            response.header("x-ms-content-crc64", ContentChecksums.crc64(bytes));
        }
    }

    CompletionStage<Response> blockList(BlobCall call) {
        Request request = call.request();
        String type = request.query("blocklisttype").orElse("committed").toLowerCase(Locale.ROOT);
        boolean committed = type.equals("committed") || type.equals("all");
        boolean uncommitted = type.equals("uncommitted") || type.equals("all");
        if (!committed && !uncommitted) {
            throw RequestParameters.invalid("blocklisttype", type, "It is committed, uncommitted or all.");
        }
        if (uncommitted && call.grant().anonymous()) {
            throw new StorageException(StorageError.RESOURCE_NOT_FOUND);
        }
        return blobs.blocks()
                .list(call.blob(), call.snapshot(), BlobConditions.ofReader(request))
                .thenApply(lists -> {
                    Response response = new Response(200);
                    lists.blob()
                            .ifPresent(blob -> tags(response, blob)
                                    .header("x-ms-blob-content-length", Long.toString(blob.length())));
                    return response.body("application/xml", BlobXml.blocks(lists, committed, uncommitted));
                });
    }
}
