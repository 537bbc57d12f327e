package dev.trestle.server.queue;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.queue.Message;
import dev.trestle.queue.QueueService;
import dev.trestle.queue.Receipt;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestParameters;
import dev.trestle.server.pipeline.Response;
import dev.trestle.server.queue.QueueXml.MessageView;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;

/** Handlers of the operations on messages. */
final class MessageHandlers {
    private static final int VISIBILITY_SECONDS_DEFAULT = 30;
    private static final long FOREVER = -1;
    private static final String VISIBILITY = "visibilitytimeout";
    private static final String TTL = "messagettl";
    private static final Pattern ID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private final QueueService queues;
    private final InstantSource clock;

    MessageHandlers(QueueService queues, InstantSource clock) {
        this.queues = queues;
        this.clock = clock;
    }

    CompletionStage<Response> put(QueueCall call) {
        Request request = call.request();
        long ttl = ttl(request);
        int delay = RequestParameters.number(request, VISIBILITY, 0, Limits.MESSAGE_SECONDS_MAX, 0);
        if (request.query(TTL).isPresent() && ttl != FOREVER && delay >= ttl) {
            throw RequestParameters.invalid(
                    VISIBILITY, Integer.toString(delay), "The message would expire before anybody could see it.");
        }
        long ttlTicks = ttl == FOREVER ? Ticks.MAX : ttl * Ticks.PER_SECOND;
        return queues.put(call.account(), call.queue(), text(request), delay * Ticks.PER_SECOND, ttlTicks)
                .thenApply(message -> response(201, List.of(message), MessageView.PUT));
    }

    private static long ttl(Request request) {
        Optional<String> text = request.query(TTL);
        if (text.isEmpty()) {
            return Limits.MESSAGE_SECONDS_MAX;
        }
        long ttl = RequestParameters.parse(TTL, text.get());
        if (ttl == 0 || ttl < FOREVER || ttl > Integer.MAX_VALUE) {
            throw RequestParameters.invalid(
                    TTL, text.get(), "A message lives from 1 to " + Integer.MAX_VALUE + " seconds, or for ever at -1.");
        }
        return ttl;
    }

    private static String text(Request request) {
        if (request.bodyLength() > Limits.MESSAGE_BODY_BYTES_MAX) {
            throw tooLarge(Limits.MESSAGE_BODY_BYTES_MAX);
        }
        String text = QueueXml.readText(request.body(), 0, request.bodyLength());
        boolean maybeTooLarge = text.length() > Limits.MESSAGE_BYTES_MAX / 3;
        if (maybeTooLarge && text.getBytes(StandardCharsets.UTF_8).length > Limits.MESSAGE_BYTES_MAX) {
            throw tooLarge(Limits.MESSAGE_BYTES_MAX);
        }
        return text;
    }

    private static StorageException tooLarge(int max) {
        return new StorageException(StorageError.REQUEST_BODY_TOO_LARGE).with("MaxLimit", Integer.toString(max));
    }

    CompletionStage<Response> receive(QueueCall call) {
        Request request = call.request();
        int messages = RequestParameters.number(request, "numofmessages", 1, Limits.MESSAGES_MAX, 1);
        long hidden = RequestParameters.number(
                request, VISIBILITY, 1, Limits.MESSAGE_SECONDS_MAX, VISIBILITY_SECONDS_DEFAULT);
        return queues.take(call.account(), call.queue(), messages, hidden * Ticks.PER_SECOND, Runnable::run)
                .thenApply(taken -> response(200, taken, MessageView.RECEIVED));
    }

    CompletionStage<Response> peek(QueueCall call) {
        Request request = call.request();
        int messages = RequestParameters.number(request, "numofmessages", 1, Limits.MESSAGES_MAX, 1);
        return queues.peek(call.account(), call.queue(), messages)
                .thenApply(seen -> response(200, seen, MessageView.PEEKED));
    }

    private static Response response(int status, List<Message> messages, MessageView view) {
        return new Response(status).body("application/xml", QueueXml.messages(messages, view));
    }

    CompletionStage<Response> clear(QueueCall call) {
        return queues.clear(call.account(), call.queue()).thenApply(done -> new Response(204));
    }

    CompletionStage<Response> update(QueueCall call) {
        Request request = call.request();
        String id = call.messageId();
        Optional<Receipt> receipt = receipt(request);
        int hidden = RequestParameters.requiredNumber(request, VISIBILITY, 0, Limits.MESSAGE_SECONDS_MAX);
        Optional<String> text = request.bodyLength() == 0 ? Optional.empty() : Optional.of(text(request));
        if (receipt.isEmpty() || !isId(id)) {
            return notFound(call);
        }
        Receipt given = receipt.get();
        long left = (given.expiry() - Ticks.of(clock.instant())) / Ticks.PER_SECOND;
        if (left >= 0 && hidden > left + 1) {
            throw RequestParameters.outOfRange(VISIBILITY, Integer.toString(hidden), 0, left);
        }
        return queues.update(call.account(), call.queue(), UUID.fromString(id), given, text, hidden * Ticks.PER_SECOND)
                .thenApply(message -> new Response(204)
                        .header("x-ms-popreceipt", message.receipt().toString())
                        .header("x-ms-time-next-visible", Ticks.formatHttp(message.visible())));
    }

    CompletionStage<Response> delete(QueueCall call) {
        Request request = call.request();
        String id = call.messageId();
        Optional<Receipt> receipt = receipt(request);
        if (receipt.isEmpty() || !isId(id)) {
            return notFound(call);
        }
        return queues.remove(call.account(), call.queue(), UUID.fromString(id), receipt.get())
                .thenApply(done -> new Response(204));
    }

    /** Returns the pop receipt; empty if this server cannot have issued it. */
    private static Optional<Receipt> receipt(Request request) {
        // Some clients do not encode it, so that a plus sign arrives as a space.
        String text = RequestParameters.required(request, "popreceipt").replace(' ', '+');
        if (!Receipt.isWellFormed(text)) {
            throw RequestParameters.invalid("popreceipt", text, "The value is not a pop receipt.");
        }
        return Receipt.parse(text);
    }

    private static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** Fails with 404 MessageNotFound, or with QueueNotFound if the queue is missing. */
    private CompletionStage<Response> notFound(QueueCall call) {
        return queues.queue(call.account(), call.queue()).thenApply(queue -> {
            throw new StorageException(StorageError.MESSAGE_NOT_FOUND);
        });
    }
}
