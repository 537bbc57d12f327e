package dev.trestle.server.http;

import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.BlobService;
import dev.trestle.blob.TagFinder;
import dev.trestle.blob.TagQuery;
import dev.trestle.model.ContainerName;
import dev.trestle.model.Limits;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.Operation;
import dev.trestle.server.protocol.TagParser;
import dev.trestle.server.protocol.TagXml;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** The operations on the tags of blobs, and the search for blobs by their tags. */
final class TagRoutes {
    private static final String ALL_TAGS_SINCE = "2020-04-08";
    private static final String MARKER = "2!";

    private final BlobService blobs;

    TagRoutes(BlobService blobs) {
        this.blobs = blobs;
    }

    CompletionStage<Response> get(Request request, Grant grant, BlobAddress address, OptionalLong snapshot) {
        String resource = BlobReads.resource(address);
        request.trace().begin(OperationName.GET_BLOB_TAGS, resource);
        grant.check(Operation.GET_BLOB_TAGS, Optional.of(resource));
        return blobs.find(address, snapshot, BlobConditions.ofReader(request))
                .thenApply(blob -> new Response(200)
                        .body("application/xml", TagXml.write(blob.tags().values())));
    }

    CompletionStage<Response> set(Request request, Grant grant, BlobAddress address) {
        BlobWrites.begin(request, grant, OperationName.SET_BLOB_TAGS, Operation.SET_BLOB_TAGS, address);
        ContentChecksums checks = ContentChecksums.of(request);
        return BlobRoutes.document(request).thenCompose(whole -> {
            byte[] document = Arrays.copyOfRange(
                    request.body(), request.bodyOffset(), request.bodyOffset() + request.bodyLength());
            checks.verify(document);
            Map<String, String> tags = TagXml.read(document, 0, document.length);
            return blobs.setTags(address, BlobConditions.ofWriter(request), tags)
                    .thenApply(blob -> new Response(204));
        });
    }

    /** Finds blobs in all containers of the account. */
    CompletionStage<Response> find(Request request, Grant grant) {
        request.trace().begin(OperationName.FIND_BLOBS_BY_TAGS);
        grant.check(Operation.FIND_BLOBS, Optional.empty());
        String where = RequestParameters.required(request, "where");
        TagQuery query = TagParser.query(where, false);
        return blobs.finder()
                .find(request.account(), query, max(request), position(request))
                .thenApply(page -> found(request, where, page));
    }

    CompletionStage<Response> find(Request request, Grant grant, ContainerName container) {
        request.trace().begin(OperationName.FIND_BLOBS_BY_TAGS, container.value());
        grant.check(Operation.FIND_BLOBS_IN_CONTAINER, Optional.of(container.value()));
        String where = RequestParameters.required(request, "where");
        TagQuery query = TagParser.query(where, true);
        return blobs.finder()
                .find(request.account(), container, query, max(request), position(request))
                .thenApply(page -> found(request, where, page));
    }

    private static int max(Request request) {
        return RequestParameters.max(request, Limits.BLOBS_PAGE_MAX).orElse(Limits.BLOBS_PAGE_MAX);
    }

    private static Response found(Request request, String where, TagFinder.Page page) {
        TagXml.Asked asked = new TagXml.Asked(
                request.address().baseUrl() + "/",
                where,
                RequestParameters.marker(request),
                RequestParameters.max(request, Limits.BLOBS_PAGE_MAX),
                BlobRoutes.version(request).compareTo(ALL_TAGS_SINCE) >= 0);
        return new Response(200)
                .body(
                        "application/xml",
                        TagXml.found(
                                asked, page, page.next().map(TagRoutes::encode).orElse("")));
    }

    private static TagFinder.Position position(Request request) {
        return RequestParameters.marker(request).map(TagRoutes::decode).orElse(TagFinder.Position.START);
    }

    /** A marker says where to go on. */
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
