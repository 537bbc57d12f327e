package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.conformance.QueueConnection.Shown;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The expected messages of one queue: the acknowledged operations, and all possible outcomes of requests that a
 * kill left without a response. Clients receive messages with a visibility timeout longer than any test, so a
 * received message becomes visible again only when its receiver releases it. Thread-safe, except that no client
 * may write during the comparison with a server.
 */
final class QueueLedger {
    /** Longer than any test. */
    static final int HIDDEN_SECONDS = 7 * 24 * 3600;

    private static final int BATCH = 32;

    private final Map<String, Entry> messages = new ConcurrentHashMap<>();
    private final Map<String, String> idsBySentText = new ConcurrentHashMap<>();
    private final AtomicInteger lostMax = new AtomicInteger();

    private enum State {
        /** Visible, unless a kill lost the response to a receive of it. */
        FREE,
        HELD,
        RELEASING,
        REMOVING,
        REMOVED
    }

    /**
     * A message as its clients know it.
     *
     * @param receipt of its holder
     * @param texts its text, or all that it may have, the latest last
     */
    private record Entry(State state, int dequeueCount, String receipt, List<String> texts) {
        Entry in(State next) {
            return new Entry(next, dequeueCount, receipt, texts);
        }

        String text() {
            return texts.get(texts.size() - 1);
        }
    }

    /** Records that a message with this unique text is about to be put. */
    void putting(String text) {
        idsBySentText.put(text, "");
    }

    /** Records the response to a put. Others may have received the message before. */
    void put(String text, Shown message) {
        identify(text, message.id());
        messages.putIfAbsent(message.id(), new Entry(State.FREE, 0, "", List.of(text)));
    }

    private void identify(String text, String id) {
        String before = idsBySentText.put(text, id);
        assertThat(before).as("the id of '%s', which was put once", text).isIn("", id);
    }

    /** A client is about to take so many messages. */
    void taking(int count) {
        lostMax.addAndGet(count);
    }

    /** Records the response to a receive. */
    void taken(int count, List<Shown> taken) {
        lostMax.addAndGet(-count);
        for (Shown message : taken) {
            messages.compute(message.id(), (id, before) -> {
                assertFits(message, before, before == null ? 1 : before.dequeueCount + 1);
                return new Entry(State.HELD, message.dequeueCount(), message.receipt(), List.of(message.text()));
            });
        }
    }

    /** A visible message is one that was put and is not received by a client. */
    private void assertFits(Shown message, @Nullable Entry known, int dequeueCount) {
        if (known == null) {
            assertThat(idsBySentText).as("texts that were put").containsKey(message.text());
            identify(message.text(), message.id());
        } else {
            assertThat(known.state).as("%s, seen as %s", known, message).isIn(State.FREE, State.RELEASING);
            assertThat(known.texts).as("texts of %s", message).contains(message.text());
        }
        assertThat(message.dequeueCount())
                .as("count of %s, known as %s", message, known)
                .isEqualTo(dequeueCount);
    }

    /** The holder is about to give the message back with another text. */
    void releasing(Shown message, String text) {
        messages.put(
                message.id(),
                new Entry(State.RELEASING, message.dequeueCount(), message.receipt(), List.of(message.text(), text)));
    }

    /** Records the response to a release. Another client may have received the message since. */
    void released(Shown message, String text) {
        messages.computeIfPresent(
                message.id(),
                (id, now) -> now.state == State.RELEASING && now.receipt.equals(message.receipt())
                        ? new Entry(State.FREE, now.dequeueCount, "", List.of(text))
                        : now);
    }

    /** The holder is about to delete the message. */
    void removing(Shown message) {
        messages.computeIfPresent(message.id(), (id, held) -> held.in(State.REMOVING));
    }

    void removed(Shown message) {
        messages.computeIfPresent(message.id(), (id, removing) -> removing.in(State.REMOVED));
    }

    /** Compares the expected messages with the visible ones of a server. */
    void verify(QueueConnection queue) throws IOException {
        settle(queue);
        for (Shown message : queue.peek()) {
            Entry known = messages.get(message.id());
            assertFits(message, known, known == null ? 0 : known.dequeueCount);
            if (known == null) {
                // Its put got no response, but was applied.
                put(message.text(), message);
            }
        }
        assertCount(queue, idsIn(State.FREE).size() + idsIn(State.HELD).size());
    }

    /** Takes and deletes all there is, and accounts for the rest. */
    void drain(QueueConnection queue) throws IOException {
        settle(queue);
        assertThat(messages.values())
                .as("or the clients have done little")
                .anyMatch(entry -> entry.state == State.REMOVED)
                .anyMatch(entry -> entry.state == State.HELD)
                .anyMatch(entry -> entry.dequeueCount > 1);
        List<Shown> taken;
        do {
            taking(BATCH);
            taken = queue.take(BATCH, HIDDEN_SECONDS);
            taken(BATCH, taken);
        } while (!taken.isEmpty());
        for (String id : idsIn(State.HELD)) {
            Entry held = Objects.requireNonNull(messages.get(id));
            assertThat(queue.remove(id, held.receipt)).as("deleting %s", held).isEqualTo(204);
            messages.put(id, held.in(State.REMOVED));
        }
        // Invisible, and their receipts were lost with the responses.
        List<String> lost = idsIn(State.FREE);
        assertThat(lost).hasSizeLessThanOrEqualTo(lostMax.get());
        assertCount(queue, lost.size());
    }

    /** Repeats requests without a response, so that their outcome is known. */
    private void settle(QueueConnection queue) throws IOException {
        for (String id : idsIn(State.RELEASING)) {
            Entry entry = Objects.requireNonNull(messages.get(id));
            assertThat(queue.release(id, entry.receipt, entry.text())).isIn(204, 404);
            messages.put(id, new Entry(State.FREE, entry.dequeueCount, "", List.of(entry.text())));
        }
        for (String id : idsIn(State.REMOVING)) {
            Entry entry = Objects.requireNonNull(messages.get(id));
            assertThat(queue.remove(id, entry.receipt)).isIn(204, 404);
            messages.put(id, entry.in(State.REMOVED));
        }
    }

    /** Other messages can only be those whose puts got no response. */
    private void assertCount(QueueConnection queue, int known) throws IOException {
        long unanswered =
                idsBySentText.values().stream().filter(String::isEmpty).count();
        assertThat(queue.count()).isBetween((long) known, known + unanswered);
    }

    private List<String> idsIn(State state) {
        List<String> ids = new ArrayList<>();
        messages.forEach((id, entry) -> {
            if (entry.state == state) {
                ids.add(id);
            }
        });
        return ids;
    }
}
