package dev.trestle.server.queue;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.queue.QueueService;
import dev.trestle.server.codec.AclXml;
import dev.trestle.server.pipeline.MetadataHeaders;
import dev.trestle.server.pipeline.RequestParameters;
import dev.trestle.server.pipeline.Response;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Handlers of the operations on queues. */
final class QueueHandlers {
    private static final String PERMISSIONS = "raup";

    private final QueueService queues;

    QueueHandlers(QueueService queues) {
        this.queues = queues;
    }

    CompletionStage<Response> list(QueueCall call) {
        Optional<Integer> max = RequestParameters.max(call.request(), Limits.QUEUES_PAGE_MAX);
        Optional<String> prefix = call.request().query("prefix");
        Optional<String> marker = RequestParameters.marker(call.request());
        boolean metadata = RequestParameters.includes(call.request(), "metadata");
        String markerPrefix = "/" + call.account() + "/";
        Optional<String> from = marker.map(text -> {
            if (!text.startsWith(markerPrefix)) {
                throw new StorageException(StorageError.INVALID_MARKER);
            }
            return text.substring(markerPrefix.length());
        });
        return queues.list(call.account(), prefix.orElse(""), max.orElse(Limits.QUEUES_PAGE_MAX), from)
                .thenApply(page -> new Response(200)
                        .body(
                                "application/xml",
                                QueueXml.queues(
                                        call.request().address().baseUrl() + "/",
                                        prefix,
                                        marker,
                                        max,
                                        metadata,
                                        page,
                                        page.next()
                                                .map(next -> markerPrefix + next)
                                                .orElse(""))));
    }

    CompletionStage<Response> create(QueueCall call) {
        Map<String, String> metadata = MetadataHeaders.read(call.request().headers());
        return queues.create(call.account(), call.queue(), metadata)
                .thenApply(created -> new Response(created ? 201 : 204));
    }

    CompletionStage<Response> delete(QueueCall call) {
        return queues.delete(call.account(), call.queue()).thenApply(done -> new Response(204));
    }

    CompletionStage<Response> getMetadata(QueueCall call) {
        return queues.queue(call.account(), call.queue())
                .thenCombine(queues.count(call.account(), call.queue()), (queue, count) -> {
                    Response response =
                            new Response(200).header("x-ms-approximate-messages-count", Long.toString(count));
                    MetadataHeaders.write(queue.metadata(), response);
                    return response;
                });
    }

    CompletionStage<Response> setMetadata(QueueCall call) {
        return queues.setMetadata(
                        call.account(),
                        call.queue(),
                        MetadataHeaders.read(call.request().headers()))
                .thenApply(done -> new Response(204));
    }

    CompletionStage<Response> getAcl(QueueCall call) {
        return queues.queue(call.account(), call.queue())
                .thenApply(queue -> new Response(200).body("application/xml", AclXml.write(queue.policies())));
    }

    CompletionStage<Response> setAcl(QueueCall call) {
        return queues.setPolicies(
                        call.account(),
                        call.queue(),
                        AclXml.read(call.request().body(), 0, call.request().bodyLength(), PERMISSIONS))
                .thenApply(done -> new Response(204));
    }
}
