package dev.trestle.server.http;

import dev.trestle.model.Limits;
import dev.trestle.model.QueueName;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.queue.Message;
import dev.trestle.queue.QueueService;
import dev.trestle.queue.Receipt;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.Operation;
import dev.trestle.server.protocol.QueueXml;
import dev.trestle.server.protocol.QueueXml.Shown;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;

/**
 * The operations on the messages of a queue. What a commit leads to is answered on the event loop, for the thread that
 * commits has others to serve.
 */
final class MessageRoutes {
    private static final int HIDDEN_SECONDS = 30;
    private static final long FOREVER = -1;
    private static final String VISIBILITY = "visibilitytimeout";
    private static final String LIFE = "messagettl";
    private static final Pattern ID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private final QueueService queues;
    private final InstantSource clock;

    MessageRoutes(QueueService queues, InstantSource clock) {
        this.queues = queues;
        this.clock = clock;
    }

    /** Serves a request to all messages of a queue. */
    CompletionStage<Response> serve(Request request, Grant grant, String verb, QueueName name) {
        return switch (verb) {
            case "POST" -> put(request, grant, name);
            case "GET" -> isPeek(request) ? peek(request, grant, name) : take(request, grant, name);
            case "DELETE" -> clear(request, grant, name);
            default -> throw new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
        };
    }

    static boolean isPeek(Request request) {
        return request.query("peekonly").filter("true"::equalsIgnoreCase).isPresent();
    }

    /** Serves a request to one message. */
    CompletionStage<Response> serve(Request request, Grant grant, String verb, QueueName name, String id) {
        return switch (verb) {
            case "PUT" -> update(request, grant, name, id);
            case "DELETE" -> delete(request, grant, name, id);
            default -> throw new StorageException(StorageError.UNSUPPORTED_HTTP_VERB);
        };
    }

    private CompletionStage<Response> put(Request request, Grant grant, QueueName name) {
        request.trace().begin(OperationName.PUT_MESSAGE, name.value());
        grant.check(Operation.PUT_MESSAGE, Optional.of(name.value()));
        long life = life(request);
        int delay = RequestParameters.number(request, VISIBILITY, 0, Limits.MESSAGE_SECONDS_MAX, 0);
        if (request.query(LIFE).isPresent() && life != FOREVER && delay >= life) {
            throw RequestParameters.invalid(
                    VISIBILITY, Integer.toString(delay), "The message would expire before anybody could see it.");
        }
        long lifeTicks = life == FOREVER ? Ticks.MAX : life * Ticks.PER_SECOND;
        return queues.put(request.account(), name, text(request), delay * Ticks.PER_SECOND, lifeTicks)
                .thenApplyAsync(message -> response(201, List.of(message), Shown.PUT), request.loop());
    }

    private static long life(Request request) {
        Optional<String> text = request.query(LIFE);
        if (text.isEmpty()) {
            return Limits.MESSAGE_SECONDS_MAX;
        }
        long life = RequestParameters.parse(LIFE, text.get());
        if (life == 0 || life < FOREVER || life > Integer.MAX_VALUE) {
            throw RequestParameters.invalid(
                    LIFE,
                    text.get(),
                    "A message lives from 1 to " + Integer.MAX_VALUE + " seconds, or for ever at -1.");
        }
        return life;
    }

    private static String text(Request request) {
        if (request.bodyLength() > Limits.MESSAGE_BODY_BYTES_MAX) {
            throw tooLarge(Limits.MESSAGE_BODY_BYTES_MAX);
        }
        String text = QueueXml.readText(request.body(), request.bodyOffset(), request.bodyLength());
        boolean maybeTooLarge = text.length() > Limits.MESSAGE_BYTES_MAX / 3;
        if (maybeTooLarge && text.getBytes(StandardCharsets.UTF_8).length > Limits.MESSAGE_BYTES_MAX) {
            throw tooLarge(Limits.MESSAGE_BYTES_MAX);
        }
        return text;
    }

    private static StorageException tooLarge(int max) {
        return new StorageException(StorageError.REQUEST_BODY_TOO_LARGE).with("MaxLimit", Integer.toString(max));
    }

    private CompletionStage<Response> take(Request request, Grant grant, QueueName name) {
        request.trace().begin(OperationName.GET_MESSAGES, name.value());
        grant.check(Operation.GET_MESSAGES, Optional.of(name.value()));
        int messages = RequestParameters.number(request, "numofmessages", 1, Limits.MESSAGES_MAX, 1);
        long hidden = RequestParameters.number(request, VISIBILITY, 1, Limits.MESSAGE_SECONDS_MAX, HIDDEN_SECONDS);
        return queues.take(request.account(), name, messages, hidden * Ticks.PER_SECOND, request.loop())
                .thenApplyAsync(taken -> response(200, taken, Shown.TAKEN), request.loop());
    }

    private CompletionStage<Response> peek(Request request, Grant grant, QueueName name) {
        request.trace().begin(OperationName.PEEK_MESSAGES, name.value());
        grant.check(Operation.PEEK_MESSAGES, Optional.of(name.value()));
        int messages = RequestParameters.number(request, "numofmessages", 1, Limits.MESSAGES_MAX, 1);
        return queues.peek(request.account(), name, messages).thenApply(seen -> response(200, seen, Shown.PEEKED));
    }

    private static Response response(int status, List<Message> messages, Shown shown) {
        return new Response(status).body("application/xml", QueueXml.messages(messages, shown));
    }

    private CompletionStage<Response> clear(Request request, Grant grant, QueueName name) {
        request.trace().begin(OperationName.CLEAR_MESSAGES, name.value());
        grant.check(Operation.CLEAR_MESSAGES, Optional.of(name.value()));
        return queues.clear(request.account(), name).thenApply(done -> new Response(204));
    }

    private CompletionStage<Response> update(Request request, Grant grant, QueueName name, String id) {
        request.trace().begin(OperationName.UPDATE_MESSAGE, name.value());
        grant.check(Operation.UPDATE_MESSAGE, Optional.of(name.value()));
        Optional<Receipt> receipt = receipt(request);
        int hidden = RequestParameters.requiredNumber(request, VISIBILITY, 0, Limits.MESSAGE_SECONDS_MAX);
        Optional<String> text = request.bodyLength() == 0 ? Optional.empty() : Optional.of(text(request));
        if (receipt.isEmpty() || !isId(id)) {
            return notFound(request, name);
        }
        Receipt shown = receipt.get();
        long left = (shown.expiry() - Ticks.of(clock.instant())) / Ticks.PER_SECOND;
        if (left >= 0 && hidden > left + 1) {
            throw RequestParameters.outOfRange(VISIBILITY, Integer.toString(hidden), 0, left);
        }
        return queues.update(request.account(), name, UUID.fromString(id), shown, text, hidden * Ticks.PER_SECOND)
                .thenApplyAsync(
                        message -> new Response(204)
                                .header("x-ms-popreceipt", message.receipt().toString())
                                .header("x-ms-time-next-visible", Ticks.formatHttp(message.visible())),
                        request.loop());
    }

    private CompletionStage<Response> delete(Request request, Grant grant, QueueName name, String id) {
        request.trace().begin(OperationName.DELETE_MESSAGE, name.value());
        grant.check(Operation.DELETE_MESSAGE, Optional.of(name.value()));
        Optional<Receipt> receipt = receipt(request);
        if (receipt.isEmpty() || !isId(id)) {
            return notFound(request, name);
        }
        return queues.remove(request.account(), name, UUID.fromString(id), receipt.get())
                .thenApplyAsync(done -> new Response(204), request.loop());
    }

    /** Empty when it is one that this server never gave. */
    private static Optional<Receipt> receipt(Request request) {
        // Some clients forget to encode it, and then a plus sign is read as a space.
        String text = RequestParameters.required(request, "popreceipt").replace(' ', '+');
        if (!Receipt.isWellFormed(text)) {
            throw RequestParameters.invalid("popreceipt", text, "The value is not a pop receipt.");
        }
        return Receipt.parse(text);
    }

    private static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** No message is meant; whether there is a queue at least comes first. */
    private CompletionStage<Response> notFound(Request request, QueueName name) {
        return queues.queue(request.account(), name).thenApply(queue -> {
            throw new StorageException(StorageError.MESSAGE_NOT_FOUND);
        });
    }
}
