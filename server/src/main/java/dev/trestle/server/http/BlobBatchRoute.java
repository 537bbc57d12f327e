package dev.trestle.server.http;

import dev.trestle.model.ContainerName;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.Operation;
import dev.trestle.server.protocol.BlobBatchReader;
import dev.trestle.server.protocol.BlobBatchReader.SubRequest;
import dev.trestle.server.protocol.BlobBatchWriter;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Blob Batch: many requests that delete blobs, or many that set tiers, in one. Nothing is atomic: each is authorized, counted
 * against limits, served and reported as a request of its own, and credentials of the batch open none of them. A batch that
 * cannot be read, or asks for what a batch cannot do, fails as a whole before anything is done.
 */
final class BlobBatchRoute {
    /** Requests of one batch that are in flight at once: enough for their commits to share a sync. */
    private static final int PARALLEL_MAX = 16;

    private final RequestPipeline pipeline;
    private final RequestIds ids;
    private final RequestObserver observer;

    /** A request of the batch, with the id that its sender gave the part. */
    private record Part(Optional<String> contentId, Request request) {}

    /** @param pipeline what the requests of a batch are sent through */
    BlobBatchRoute(RequestPipeline pipeline, RequestIds ids, RequestObserver observer) {
        this.pipeline = pipeline;
        this.ids = ids;
        this.observer = observer;
    }

    /** @param container the only one that the requests may be for, if the batch names one */
    CompletionStage<Response> serve(Request request, Grant grant, String verb, Optional<ContainerName> container) {
        if (!verb.equals("POST")) {
            throw new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
        }
        request.trace().begin(OperationName.BLOB_BATCH);
        container.ifPresent(name -> request.trace().resource(name.value()));
        grant.check(Operation.BLOB_BATCH, container.map(ContainerName::value));
        return BlobRoutes.document(request, Limits.BODY_BYTES_MAX).thenCompose(whole -> run(request, container));
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
                request.header("Content-Type").orElse(""), request.body(), request.bodyOffset(), request.bodyLength());
        List<Part> parts = new ArrayList<>(read.size());
        Optional<OperationName> operation = Optional.empty();
        for (SubRequest part : read) {
            Request sub = request.subRequest(ids.next(), part.method(), part.target(), part.headers());
            OperationName its = operation(sub, container);
            if (operation.isPresent() && operation.get() != its) {
                throw new StorageException(StorageError.ALL_BATCH_SUB_REQUESTS_SHOULD_BE_SAME_API);
            }
            operation = Optional.of(its);
            parts.add(new Part(part.contentId(), sub));
        }
        return parts;
    }

    /** What a request of a batch asks for, which is one of two things, and in the batch's container if it has one. */
    private static OperationName operation(Request part, Optional<ContainerName> container) {
        BlobRoutes.Path path = BlobRoutes.Path.of(part.address().rawResource(), false);
        boolean elsewhere = container.isPresent() && !container.get().value().equals(path.container());
        if (path.blob().isEmpty() || elsewhere || part.query("restype").isPresent()) {
            throw new StorageException(StorageError.INVALID_INPUT);
        }
        String comp = part.query("comp").orElse("");
        if (part.method().equals("DELETE") && comp.isEmpty()) {
            return OperationName.DELETE_BLOB;
        }
        if (part.method().equals("PUT") && comp.equals("tier")) {
            return OperationName.SET_BLOB_TIER;
        }
        throw new StorageException(StorageError.INVALID_INPUT);
    }

    /** Recorded of the service: the batch is accepted, and its only part, which has no id, says what was wrong with it. */
    private Response refused(Request request, StorageException refusal) {
        BlobBatchWriter writer = new BlobBatchWriter(1);
        write(writer, Optional.empty(), pipeline.refuse(request, refusal));
        return accepted(writer);
    }

    private static Response accepted(BlobBatchWriter writer) {
        return new Response(202).body(writer.contentType(), writer.end());
    }

    /** Recorded of the service: the line of a refusal has its sentence, and the server's name comes last. */
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
        byte[] body = ByteBufUtil.getBytes(response.body());
        if (body.length > 0) {
            writer.document(body, type, "Server", ResponseWriter.SERVER);
        } else {
            writer.header("Server", ResponseWriter.SERVER);
        }
        response.discard();
    }

    /** The requests of one batch while they are served. Belongs to the event loop that the batch came in on. */
    private final class Run {
        private final List<Part> parts;
        private final Response[] responses;
        private int next;

        Run(List<Part> parts) {
            this.parts = parts;
            this.responses = new Response[parts.size()];
        }

        /** The response to each, in their order. */
        CompletionStage<List<Response>> responses(Request batch) {
            CompletableFuture<?>[] lanes = IntStream.range(0, Math.min(PARALLEL_MAX, parts.size()))
                    .mapToObj(lane -> serveNext(batch).toCompletableFuture())
                    .toArray(CompletableFuture<?>[]::new);
            return CompletableFuture.allOf(lanes).thenApply(all -> List.of(responses));
        }

        /** Serves one after the other until none is left. */
        private CompletionStage<Void> serveNext(Request batch) {
            if (next == parts.size()) {
                return CompletableFuture.completedFuture(null);
            }
            int index = next++;
            Request part = parts.get(index).request;
            long startNanos = System.nanoTime();
            return pipeline.answerPart(part)
                    .thenComposeAsync(
                            response -> {
                                responses[index] = response;
                                report(part, response, System.nanoTime() - startNanos);
                                return serveNext(batch);
                            },
                            batch.loop());
        }

        private void report(Request part, Response response, long nanos) {
            part.answered(response);
            if (observer != RequestObserver.NONE) {
                observer.finished(part.summary(response.status(), response.bodyLength(), nanos));
            }
        }
    }
}
