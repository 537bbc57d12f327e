package dev.trestle.server.blob;

import dev.trestle.blob.BlobService;
import dev.trestle.blob.TagFinder;
import dev.trestle.blob.TagQuery;
import dev.trestle.model.Limits;
import dev.trestle.model.Page;
import dev.trestle.server.pipeline.ProtocolVersion;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestParameters;
import dev.trestle.server.pipeline.RequestPipeline;
import dev.trestle.server.pipeline.Response;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Handlers of the operations on blob tags, and of the search by tags. */
final class TagHandlers {
    private static final String ALL_TAGS_SINCE = "2020-04-08";
    private static final String MARKER = "2!";

    private final BlobService blobs;

    TagHandlers(BlobService blobs) {
        this.blobs = blobs;
    }

    CompletionStage<Response> get(BlobCall call) {
        return blobs.find(call.blob(), call.snapshot(), BlobConditions.ofReader(call.request()))
                .thenApply(blob -> new Response(200)
                        .body("application/xml", TagXml.write(blob.tags().values())));
    }

    CompletionStage<Response> set(BlobCall call) {
        Request request = call.request();
        ContentChecksums checks = ContentChecksums.of(request);
        return collectDocument(request).thenCompose(whole -> {
            byte[] document = Arrays.copyOfRange(request.body(), 0, request.bodyLength());
            checks.verify(document);
            Map<String, String> tags = TagXml.read(document, 0, document.length);
            return blobs.setTags(call.blob(), BlobConditions.ofWriter(request), tags)
                    .thenApply(blob -> new Response(204));
        });
    }

    /** Searches all containers of the account. */
    CompletionStage<Response> findInAccount(BlobCall call) {
        Request request = call.request();
        String where = RequestParameters.required(request, "where");
        TagQuery query = TagParser.query(where, false);
        return blobs.finder()
                .find(request.account(), query, max(request), position(request))
                .thenApply(page -> found(request, where, page));
    }

    CompletionStage<Response> findInContainer(BlobCall call) {
        Request request = call.request();
        String where = RequestParameters.required(request, "where");
        TagQuery query = TagParser.query(where, true);
        return blobs.finder()
                .find(request.account(), call.container(), query, max(request), position(request))
                .thenApply(page -> found(request, where, page));
    }

    /** Collects a body that is an XML document. */
    static CompletionStage<Void> collectDocument(Request request) {
        return request.collect(BlobOperations.DOCUMENT_BYTES_MAX).thenRun(() -> RequestPipeline.checkMd5(request));
    }

    private static int max(Request request) {
        return RequestParameters.max(request, Limits.BLOBS_PAGE_MAX).orElse(Limits.BLOBS_PAGE_MAX);
    }

    private static Response found(Request request, String where, Page<TagFinder.Found, TagFinder.Position> page) {
        TagXml.Parameters parameters = new TagXml.Parameters(
                request.address().baseUrl() + "/",
                where,
                RequestParameters.marker(request),
                RequestParameters.max(request, Limits.BLOBS_PAGE_MAX),
                ProtocolVersion.isSince(request, ALL_TAGS_SINCE));
        return new Response(200)
                .body(
                        "application/xml",
                        TagXml.found(
                                parameters,
                                page,
                                page.next().map(TagHandlers::encode).orElse("")));
    }

    private static TagFinder.Position position(Request request) {
        return RequestParameters.marker(request).map(TagHandlers::decode).orElse(TagFinder.Position.START);
    }

    /** Encodes a continuation marker. */
    static String encode(TagFinder.Position position) {
        String text = position.container() + "\n" + position.value() + "\n" + position.row();
        return MARKER + Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static TagFinder.Position decode(String marker) {
        if (marker.startsWith(MARKER)) {
            try {
                byte[] bytes = Base64.getUrlDecoder().decode(marker.substring(MARKER.length()));
                String[] fields = new String(bytes, StandardCharsets.UTF_8).split("\n", 3);
                if (fields.length == 3) {
                    return new TagFinder.Position(fields[0], fields[1], fields[2]);
                }
            } catch (IllegalArgumentException e) {
                throw unknown(marker);
            }
        }
        throw unknown(marker);
    }

    private static RuntimeException unknown(String marker) {
        return RequestParameters.invalid("marker", marker, "It has to be one that a search gave.");
    }
}
