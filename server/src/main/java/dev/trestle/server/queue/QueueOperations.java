package dev.trestle.server.queue;

import static dev.trestle.server.auth.Permission.onContainer;
import static dev.trestle.server.auth.Permission.onObject;
import static dev.trestle.server.auth.Permission.onService;

import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.model.Limits;
import dev.trestle.model.QueueName;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.queue.QueueService;
import dev.trestle.server.codec.QueryParameters;
import dev.trestle.server.pipeline.ErrorFormat;
import dev.trestle.server.pipeline.MatchedOperation;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.OperationTable;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.ServiceOperations;
import dev.trestle.server.pipeline.ServicePropertiesHandlers;
import dev.trestle.server.pipeline.XmlErrorFormat;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The operations of the Queue service, and the routing of requests to them. */
public final class QueueOperations implements ServiceOperations {
    private static final String MESSAGES = "messages";

    /** The kind of resource that a path names. */
    private enum Resource {
        SERVICE,
        ACCOUNT,
        QUEUE,
        MESSAGES,
        MESSAGE
    }

    private static final OperationTable.Builder<Handlers, QueueCall> DECLARED = OperationTable.of(Service.QUEUE);

    static final Operation<Handlers, QueueCall> LIST_QUEUES = operation("ListQueues")
            .at(Resource.ACCOUNT, "GET")
            .comp("list")
            .needs(onService("l"))
            .servedBy((handlers, call) -> handlers.queues.list(call));
    static final Operation<Handlers, QueueCall> CREATE_QUEUE = operation("CreateQueue")
            .at(Resource.QUEUE, "PUT")
            .needs(onContainer("c", "w"))
            .servedBy((handlers, call) -> handlers.queues.create(call));
    static final Operation<Handlers, QueueCall> DELETE_QUEUE = operation("DeleteQueue")
            .at(Resource.QUEUE, "DELETE")
            .needs(onContainer("d"))
            .servedBy((handlers, call) -> handlers.queues.delete(call));
    static final Operation<Handlers, QueueCall> GET_QUEUE_METADATA = operation("GetQueueMetadata")
            .at(Resource.QUEUE, "GET", "HEAD")
            .comp("metadata")
            .needs(onContainer("r").alsoInSasOf(Service.QUEUE))
            .servedBy((handlers, call) -> handlers.queues.getMetadata(call));
    static final Operation<Handlers, QueueCall> SET_QUEUE_METADATA = operation("SetQueueMetadata")
            .at(Resource.QUEUE, "PUT")
            .comp("metadata")
            .needs(onContainer("w"))
            .servedBy((handlers, call) -> handlers.queues.setMetadata(call));
    static final Operation<Handlers, QueueCall> GET_QUEUE_ACL = operation("GetQueueAcl")
            .at(Resource.QUEUE, "GET", "HEAD")
            .comp("acl")
            .needs(onContainer())
            .servedBy((handlers, call) -> handlers.queues.getAcl(call));
    static final Operation<Handlers, QueueCall> SET_QUEUE_ACL = operation("SetQueueAcl")
            .at(Resource.QUEUE, "PUT")
            .comp("acl")
            .needs(onContainer())
            .servedBy((handlers, call) -> handlers.queues.setAcl(call));
    static final Operation<Handlers, QueueCall> PUT_MESSAGE = operation("PutMessage")
            .at(Resource.MESSAGES, "POST")
            .needs(onObject("a").alsoInSasOf(Service.QUEUE))
            .servedBy((handlers, call) -> handlers.messages.put(call));
    static final Operation<Handlers, QueueCall> PEEK_MESSAGES = operation("PeekMessages")
            .at(Resource.MESSAGES, "GET")
            .when(QueueOperations::isPeek)
            .needs(onObject("r").alsoInSasOf(Service.QUEUE))
            .servedBy((handlers, call) -> handlers.messages.peek(call));
    static final Operation<Handlers, QueueCall> GET_MESSAGES = operation("GetMessages")
            .at(Resource.MESSAGES, "GET")
            .needs(onObject("p").alsoInSasOf(Service.QUEUE))
            .servedBy((handlers, call) -> handlers.messages.receive(call));
    static final Operation<Handlers, QueueCall> CLEAR_MESSAGES = operation("ClearMessages")
            .at(Resource.MESSAGES, "DELETE")
            .needs(onObject("d"))
            .servedBy((handlers, call) -> handlers.messages.clear(call));
    static final Operation<Handlers, QueueCall> UPDATE_MESSAGE = operation("UpdateMessage")
            .at(Resource.MESSAGE, "PUT")
            .needs(onObject("u").alsoInSasOf(Service.QUEUE))
            .servedBy((handlers, call) -> handlers.messages.update(call));
    static final Operation<Handlers, QueueCall> DELETE_MESSAGE = operation("DeleteMessage")
            .at(Resource.MESSAGE, "DELETE")
            .needs(onObject("p").alsoInSasOf(Service.QUEUE))
            .servedBy((handlers, call) -> handlers.messages.delete(call));

    static {
        ServicePropertiesHandlers.declare(DECLARED, Resource.SERVICE, Handlers::service, Limits.BODY_BYTES_MAX);
    }

    private static final OperationTable<Handlers, QueueCall> TABLE = DECLARED.build();

    private final Handlers handlers;

    /** The handlers of all operations. */
    record Handlers(QueueHandlers queues, MessageHandlers messages, ServicePropertiesHandlers service) {}

    public QueueOperations(QueueService queues, Catalogue catalogue, InstantSource clock) {
        this.handlers = new Handlers(
                new QueueHandlers(queues),
                new MessageHandlers(queues, clock),
                new ServicePropertiesHandlers(catalogue, clock));
    }

    private static Operation.Builder<Handlers, QueueCall> operation(String name) {
        return DECLARED.operation(name).collects(Limits.BODY_BYTES_MAX);
    }

    /** All operations of the service. */
    public static List<? extends Operation<?, ?>> all() {
        return TABLE.all();
    }

    @Override
    public ErrorFormat errors() {
        return new XmlErrorFormat();
    }

    @Override
    public MatchedOperation match(Request request) {
        List<String> path = segments(request.address().rawResource());
        if (request.address().secondary() && !readsOnly(request, path)) {
            throw StorageException.readOnly();
        }
        if (path.isEmpty()) {
            return matchAccount(request);
        }
        Optional<QueueName> name = Optional.of(new QueueName(path.get(0)));
        if (path.size() == 1) {
            return matched(request, Resource.QUEUE, request.query("comp").orElse(""), name, "");
        }
        if (path.get(1).equals(MESSAGES) && path.size() == 2) {
            // DELETE with an empty message id must not clear the queue.
            boolean emptyId = request.address().rawResource().endsWith("/");
            return request.method().equals("DELETE") && emptyId
                    ? matched(request, Resource.MESSAGE, "", name, "")
                    : matched(request, Resource.MESSAGES, "", name, "");
        } else if (path.get(1).equals(MESSAGES) && path.size() == 3) {
            return matched(request, Resource.MESSAGE, "", name, path.get(2));
        }
        throw new StorageException(StorageError.RESOURCE_NOT_FOUND);
    }

    private MatchedOperation matchAccount(Request request) {
        String comp = request.query("comp").orElse("");
        Optional<String> restype = request.query("restype");
        if (restype.isEmpty()) {
            return matched(request, Resource.ACCOUNT, comp, Optional.empty(), "");
        }
        if (!restype.get().equals("service")) {
            throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
        if (comp.equals("userdelegationkey")) {
            throw new StorageException(
                    StorageError.NOT_IMPLEMENTED,
                    "This server gives out user delegation keys for blobs only. Use an account key or a shared"
                            + " access signature made with one.");
        }
        return matched(request, Resource.SERVICE, comp, Optional.empty(), "");
    }

    private MatchedOperation matched(
            Request request, Resource resource, String comp, Optional<QueueName> queue, String message) {
        Operation<Handlers, QueueCall> operation = TABLE.find(resource, comp, request.method(), request)
                .orElseThrow(() -> new StorageException(
                        TABLE.contains(resource, comp)
                                ? StorageError.UNSUPPORTED_HTTP_VERB
                                : StorageError.INVALID_QUERY_PARAMETER_VALUE));
        Optional<String> on = queue.map(QueueName::value);
        MatchedOperation matched = MatchedOperation.of(
                operation, handlers, grant -> new QueueCall(request, grant, queue, message), on, on, false);
        // As recorded: successful responses to GET and HEAD have this header, even where GET receives messages.
        return request.isRead() ? matched.andThen(response -> response.header("Cache-Control", "no-cache")) : matched;
    }

    /** Whether the request changes nothing. GET receives messages, unless it only peeks. */
    private static boolean readsOnly(Request request, List<String> path) {
        boolean receives = path.size() > 1 && !isPeek(request);
        return request.isRead() && !receives;
    }

    private static boolean isPeek(Request request) {
        return request.query("peekonly").filter("true"::equalsIgnoreCase).isPresent();
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
}
