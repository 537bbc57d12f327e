package dev.trestle.server.http;

import dev.trestle.model.Limits;
import dev.trestle.model.QueueName;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.queue.QueueService;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.Operation;
import dev.trestle.server.auth.QueryParameters;
import dev.trestle.server.protocol.AclXml;
import dev.trestle.server.protocol.QueueXml;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Which operation of the Queue service a request means, and the operations on the account and its queues. */
final class QueueRoutes implements Routes {
    private static final String PERMISSIONS = "raup";
    private static final String MESSAGES = "messages";

    private final QueueService queues;
    private final MessageRoutes messages;
    private final ServiceDocuments ofService;

    QueueRoutes(QueueService queues, MessageRoutes messages, ServiceDocuments ofService) {
        this.queues = queues;
        this.messages = messages;
        this.ofService = ofService;
    }

    @Override
    public CompletionStage<Response> serve(Request request, Grant grant) {
        CompletionStage<Response> served = route(request, grant);
        // As recorded: every successful response to a read says so, also where the read takes messages; no other does.
        return isRead(request.method())
                ? served.thenApply(response -> response.header("Cache-Control", "no-cache"))
                : served;
    }

    private static boolean isRead(String verb) {
        return verb.equals("GET") || verb.equals("HEAD");
    }

    private CompletionStage<Response> route(Request request, Grant grant) {
        String verb = request.method();
        List<String> path = segments(request.address().rawResource());
        if (request.address().secondary() && !readsOnly(request, verb, path)) {
            throw StorageException.readOnly();
        }
        String comp = request.query("comp").orElse("");
        if (path.isEmpty()) {
            return account(request, grant, verb, comp);
        }
        QueueName name = new QueueName(path.get(0));
        if (path.size() == 1) {
            return queue(request, grant, verb, name, comp);
        }
        if (path.get(1).equals(MESSAGES) && path.size() == 2) {
            boolean emptyId = request.address().rawResource().endsWith("/");
            // Who deletes a message and leaves its id empty does not mean all messages.
            return verb.equals("DELETE") && emptyId
                    ? messages.serve(request, grant, verb, name, "")
                    : messages.serve(request, grant, verb, name);
        } else if (path.get(1).equals(MESSAGES) && path.size() == 3) {
            return messages.serve(request, grant, verb, name, path.get(2));
        }
        throw new StorageException(StorageError.RESOURCE_NOT_FOUND);
    }

    /** Whoever gets messages takes them, unless they only peek. */
    private static boolean readsOnly(Request request, String verb, List<String> path) {
        boolean takes = path.size() > 1 && !MessageRoutes.isPeek(request);
        return isRead(verb) && !takes;
    }

    private static List<String> segments(String rawPath) {
        List<String> segments = new ArrayList<>(3);
        int start = 1;
        while (start < rawPath.length()) {
            int end = rawPath.indexOf('/', start);
            if (end < 0) {
                end = rawPath.length();
            }
            segments.add(QueryParameters.decode(rawPath.substring(start, end), false));
            start = end + 1;
        }
        return segments;
    }

    private CompletionStage<Response> account(Request request, Grant grant, String verb, String comp) {
        if (request.query("restype").isPresent()) {
            if (!request.query("restype").get().equals("service")) {
                throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
            }
            if (comp.equals("userdelegationkey")) {
                throw new StorageException(
                        StorageError.NOT_IMPLEMENTED,
                        "This server gives out user delegation keys for blobs only. Use an account key or a shared"
                                + " access signature made with one.");
            }
            return ofService
                    .serve(request, grant, verb, comp)
                    .orElseThrow(() -> new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE));
        }
        if (!comp.equals("list")) {
            throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
        allow(verb, "GET");
        return list(request, grant);
    }

    private CompletionStage<Response> list(Request request, Grant grant) {
        request.trace().begin(OperationName.LIST_QUEUES);
        grant.check(Operation.LIST_QUEUES, Optional.empty());
        Optional<Integer> max = RequestParameters.max(request, Limits.QUEUES_PAGE_MAX);
        Optional<String> prefix = request.query("prefix");
        Optional<String> marker = RequestParameters.marker(request);
        boolean metadata = RequestParameters.includes(request, "metadata");
        String markerPrefix = "/" + request.account() + "/";
        Optional<String> from = marker.map(text -> {
            if (!text.startsWith(markerPrefix)) {
                throw new StorageException(StorageError.INVALID_MARKER);
            }
            return text.substring(markerPrefix.length());
        });
        return queues.list(request.account(), prefix.orElse(""), max.orElse(Limits.QUEUES_PAGE_MAX), from)
                .thenApply(page -> new Response(200)
                        .body(
                                "application/xml",
                                QueueXml.queues(
                                        request.address().baseUrl() + "/",
                                        prefix,
                                        marker,
                                        max,
                                        metadata,
                                        page,
                                        page.next()
                                                .map(next -> markerPrefix + next)
                                                .orElse(""))));
    }

    private CompletionStage<Response> queue(Request request, Grant grant, String verb, QueueName name, String comp) {
        boolean read = isRead(verb);
        boolean write = verb.equals("PUT");
        if (comp.equals("metadata") && read) {
            return getMetadata(request, grant, name);
        } else if (comp.equals("metadata") && write) {
            return setMetadata(request, grant, name);
        } else if (comp.equals("acl") && read) {
            return getAcl(request, grant, name);
        } else if (comp.equals("acl") && write) {
            return setAcl(request, grant, name);
        } else if (comp.isEmpty() && write) {
            return create(request, grant, name);
        } else if (comp.isEmpty() && verb.equals("DELETE")) {
            return delete(request, grant, name);
        } else if (comp.isEmpty() || comp.equals("metadata") || comp.equals("acl")) {
            throw new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
        }
        throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
    }

    private CompletionStage<Response> create(Request request, Grant grant, QueueName name) {
        request.trace().begin(OperationName.CREATE_QUEUE, name.value());
        grant.check(Operation.CREATE_QUEUE, Optional.of(name.value()));
        Map<String, String> metadata = MetadataHeaders.read(request.headers());
        return queues.create(request.account(), name, metadata).thenApply(created -> new Response(created ? 201 : 204));
    }

    private CompletionStage<Response> delete(Request request, Grant grant, QueueName name) {
        request.trace().begin(OperationName.DELETE_QUEUE, name.value());
        grant.check(Operation.DELETE_QUEUE, Optional.of(name.value()));
        return queues.delete(request.account(), name).thenApply(done -> new Response(204));
    }

    private CompletionStage<Response> getMetadata(Request request, Grant grant, QueueName name) {
        request.trace().begin(OperationName.GET_QUEUE_METADATA, name.value());
        grant.check(Operation.GET_QUEUE_METADATA, Optional.of(name.value()));
        return queues.queue(request.account(), name)
                .thenCombine(queues.count(request.account(), name), (queue, count) -> {
                    Response response =
                            new Response(200).header("x-ms-approximate-messages-count", Long.toString(count));
                    MetadataHeaders.write(queue.metadata(), response);
                    return response;
                });
    }

    private CompletionStage<Response> setMetadata(Request request, Grant grant, QueueName name) {
        request.trace().begin(OperationName.SET_QUEUE_METADATA, name.value());
        grant.check(Operation.SET_QUEUE_METADATA, Optional.of(name.value()));
        return queues.setMetadata(request.account(), name, MetadataHeaders.read(request.headers()))
                .thenApply(done -> new Response(204));
    }

    private CompletionStage<Response> getAcl(Request request, Grant grant, QueueName name) {
        request.trace().begin(OperationName.GET_QUEUE_ACL, name.value());
        grant.check(Operation.GET_QUEUE_ACL, Optional.of(name.value()));
        return queues.queue(request.account(), name)
                .thenApply(queue -> new Response(200).body("application/xml", AclXml.write(queue.policies())));
    }

    private CompletionStage<Response> setAcl(Request request, Grant grant, QueueName name) {
        request.trace().begin(OperationName.SET_QUEUE_ACL, name.value());
        grant.check(Operation.SET_QUEUE_ACL, Optional.of(name.value()));
        return queues.setPolicies(
                        request.account(),
                        name,
                        AclXml.read(request.body(), request.bodyOffset(), request.bodyLength(), PERMISSIONS))
                .thenApply(done -> new Response(204));
    }

    private static void allow(String verb, String only) {
        if (!verb.equals(only)) {
            throw new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
        }
    }
}
