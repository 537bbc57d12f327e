package dev.trestle.server.blob;

import dev.trestle.model.ContainerName;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.blob.BlobBatchReader.SubRequest;
import dev.trestle.server.pipeline.ErrorRenderer;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestIds;
import dev.trestle.server.pipeline.RequestObserver;
import dev.trestle.server.pipeline.RequestPipeline;
import dev.trestle.server.pipeline.RequestSummary;
import dev.trestle.server.pipeline.Response;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * The handler of Blob Batch: several requests that delete blobs, or several that set tiers. A batch is not atomic.
 * Each request is authenticated with its own credentials, authorized, counted against limits, executed and
 * reported separately. A malformed batch, or one with other operations, fails as a whole before any request is
 * executed.
 */
final class BlobBatchHandler {
    /** The requests of a batch in flight: enough for their commits to share a sync. */
    private static final int PARALLEL_MAX = 16;

    /** The operations that a batch may contain. */
    private static final Set<Operation<?, ?>> ALLOWED =
            Set.of(BlobOperations.DELETE_BLOB, BlobOperations.SET_BLOB_TIER);

    private final RequestPipeline pipeline;
    private final RequestIds ids;
    private final RequestObserver observer;

    /** A request of the batch, with the content id of its part. */
    private record Part(Optional<String> contentId, Request request) {}

    /** @param pipeline processes the requests of a batch */
    BlobBatchHandler(RequestPipeline pipeline, RequestIds ids, RequestObserver observer) {
        this.pipeline = pipeline;
        this.ids = ids;
        this.observer = observer;
    }

    CompletionStage<Response> serve(BlobCall call) {
        return run(call.request(), call.target());
    }

    private CompletionStage<Response> run(Request request, Optional<ContainerName> container) {
        List<Part> parts;
        try {
            parts = parts(request, container);
        } catch (StorageException e) {
            return CompletableFuture.completedFuture(refused(request, e));
        }
        return new Run(parts).responses(request).thenApply(responses -> {
            BlobBatchWriter writer = new BlobBatchWriter(parts.size());
            for (int i = 0; i < parts.size(); i++) {
                write(writer, parts.get(i).contentId, responses.get(i));
            }
            return accepted(writer);
        });
    }

    private List<Part> parts(Request request, Optional<ContainerName> container) {
        List<SubRequest> read = BlobBatchReader.read(
                request.header("Content-Type").orElse(""), request.body(), 0, request.bodyLength());
        List<Part> parts = new ArrayList<>(read.size());
        Optional<Operation<?, ?>> operation = Optional.empty();
        for (SubRequest part : read) {
            Request sub = request.subRequest(ids.next(), part.method(), withSlash(part.target()), part.headers());
            Operation<?, ?> its = operation(sub, container);
            if (operation.isPresent() && operation.get() != its) {
                throw new StorageException(StorageError.ALL_BATCH_SUB_REQUESTS_SHOULD_BE_SAME_API);
            }
            operation = Optional.of(its);
            parts.add(new Part(part.contentId(), sub));
        }
        return parts;
    }

    private static String withSlash(String target) {
        return target.startsWith("/") ? target : "/" + target;
    }

    /**
     * Returns the operation of a request in a batch; it must be on a blob, in the container of the batch if that
     * has one.
     */
    private static Operation<?, ?> operation(Request part, Optional<ContainerName> container) {
        BlobPath path = BlobPath.of(part.address().rawResource(), false);
        boolean elsewhere = container.isPresent() && !container.get().value().equals(path.container());
        if (path.blob().isEmpty() || elsewhere || part.query("restype").isPresent()) {
            throw new StorageException(StorageError.INVALID_INPUT);
        }
        return BlobOperations.onBlob(part)
                .filter(ALLOWED::contains)
                .orElseThrow(() -> new StorageException(StorageError.INVALID_INPUT));
    }

    /** As recorded, a refused batch has status 202 and a single part with the error, without an id. */
    private Response refused(Request request, StorageException refusal) {
        BlobBatchWriter writer = new BlobBatchWriter(1);
        write(writer, Optional.empty(), pipeline.refuse(request, refusal));
        return accepted(writer);
    }

    private static Response accepted(BlobBatchWriter writer) {
        return new Response(202).body(writer.contentType(), writer.end());
    }

    /** As recorded, the status line of an error has its message, and Server is the last header. */
    private static void write(BlobBatchWriter writer, Optional<String> contentId, Response response) {
        int status = response.status();
        String reason = response.reason().orElseGet(() -> ErrorRenderer.reason(status));
        writer.part(contentId, status, reason);
        String type = "";
        for (Map.Entry<String, String> header : response.headers()) {
            if (header.getKey().equals("Content-Type")) {
                type = header.getValue();
            } else {
                writer.header(header.getKey(), header.getValue());
            }
        }
        byte[] body = ByteBufUtil.getBytes(response.buffered().whole());
        if (body.length > 0) {
            writer.document(body, type, "Server", Response.SERVER);
        } else {
            writer.header("Server", Response.SERVER);
        }
        response.discard();
    }

    /** The execution of a batch. Belongs to the event loop of its request. */
    private final class Run {
        private final List<Part> parts;
        private final Response[] responses;
        private int next;

        Run(List<Part> parts) {
            this.parts = parts;
            this.responses = new Response[parts.size()];
        }

        /** Returns the responses in the order of the requests. */
        CompletionStage<List<Response>> responses(Request batch) {
            CompletableFuture<?>[] lanes = IntStream.range(0, Math.min(PARALLEL_MAX, parts.size()))
                    .mapToObj(lane -> serveNext(batch).toCompletableFuture())
                    .toArray(CompletableFuture<?>[]::new);
            return CompletableFuture.allOf(lanes).thenApply(all -> List.of(responses));
        }

        /** Executes one request after another until none is left. */
        private CompletionStage<Void> serveNext(Request batch) {
            if (next == parts.size()) {
                return CompletableFuture.completedFuture(null);
            }
            int index = next++;
            Request part = parts.get(index).request;
            long startNanos = System.nanoTime();
            return pipeline.respondToPart(part)
                    .thenComposeAsync(
                            response -> {
                                responses[index] = response;
                                report(part, response, System.nanoTime() - startNanos);
                                return serveNext(batch);
                            },
                            batch.loop());
        }

        private void report(Request part, Response response, long nanos) {
            if (observer != RequestObserver.NONE) {
                observer.finished(RequestSummary.of(
                        part,
                        Optional.of(response),
                        response.status(),
                        0,
                        response.buffered().length(),
                        nanos,
                        0));
            }
        }
    }
}
