package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.model.QueueName;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.queue.Message;
import dev.trestle.queue.Receipt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Visibility of messages, and operations on received messages. */
public abstract class QueueMessagesContract extends QueueContract {
    protected QueueMessagesContract(Opener opener) {
        super(opener);
    }

    @Test
    void messages_come_in_the_order_they_were_put() {
        List.of("a", "b", "c").forEach(this::put);
        assertThat(texts(peek(32))).containsExactly("a", "b", "c");
        assertThat(texts(take(2, SECOND))).containsExactly("a", "b");
        assertThat(texts(take(2, SECOND))).containsExactly("c");
        assertThat(take(1, SECOND)).isEmpty();
    }

    @Test
    void the_count_is_of_messages_and_not_of_where_they_were() {
        for (int i = 0; i < 5; i++) {
            put("message " + i);
        }
        List<Message> taken = take(3, 30 * SECOND);
        remove(taken.get(0));
        assertThat(await(queues.count(account, JOBS))).isEqualTo(4);
    }

    @Test
    void a_message_taken_is_hidden_until_its_time_and_counted_each_time() {
        put("a");
        Message first = take(1, 30 * SECOND).get(0);
        assertThat(first.dequeueCount()).isEqualTo(1);
        move(29);
        assertThat(take(1, SECOND)).isEmpty();
        assertThat(peek(1)).isEmpty();
        move(1);
        Message second = take(1, 30 * SECOND).get(0);
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.dequeueCount()).isEqualTo(2);
        assertThat(second.inserted()).isEqualTo(first.inserted());
        assertThat(second.expiry()).isEqualTo(first.expiry());
    }

    @Test
    void peeking_changes_nothing() {
        put("a");
        assertThat(peek(1).get(0).dequeueCount()).isZero();
        assertThat(texts(peek(1))).containsExactly("a");
        assertThat(take(1, SECOND).get(0).dequeueCount()).isEqualTo(1);
    }

    @Test
    void a_message_put_off_is_seen_after_its_delay() {
        put("late", 10 * SECOND, WEEK);
        put("now");
        assertThat(texts(take(32, 60 * SECOND))).containsExactly("now");
        move(10);
        assertThat(texts(take(32, SECOND))).containsExactly("late");
    }

    @Test
    void an_expired_message_is_gone_whether_it_was_taken_or_not() {
        put("taken", 0, 5 * SECOND);
        put("left", 0, 5 * SECOND);
        Message taken = take(1, 2 * SECOND).get(0);
        move(5);
        assertThat(take(32, SECOND)).isEmpty();
        assertThat(peek(32)).isEmpty();
        assertThat(removalError(taken)).isEqualTo(StorageError.MESSAGE_NOT_FOUND);
        assertThat(errorOf(queues.update(account, JOBS, taken.id(), taken.receipt(), Optional.empty(), 0)))
                .isEqualTo(StorageError.MESSAGE_NOT_FOUND);
    }

    @Test
    void expired_messages_are_removed_without_being_read() {
        put("for ever", 0, Ticks.MAX);
        for (int i = 0; i < 250; i++) {
            put("short", 0, SECOND);
        }
        assertThat(await(queues.count(account, JOBS))).isEqualTo(251);
        move(2);
        await(queues.sweep(account));
        assertThat(await(queues.count(account, JOBS))).isEqualTo(1);
        assertThat(texts(peek(32))).containsExactly("for ever");
    }

    @Test
    void a_message_behind_many_expired_ones_is_found() {
        for (int i = 0; i < 120; i++) {
            put("short", 0, SECOND);
        }
        move(2);
        put("long");
        assertThat(texts(take(1, SECOND))).containsExactly("long");
    }

    @Test
    void a_receipt_dies_when_somebody_else_takes_the_message_and_not_before() {
        put("a");
        Message first = take(1, SECOND).get(0);
        move(2);
        Message second = take(1, 10 * SECOND).get(0);
        assertThat(removalError(first)).isEqualTo(StorageError.MESSAGE_NOT_FOUND);
        move(11);
        remove(second);
        assertThat(removalError(second)).isEqualTo(StorageError.MESSAGE_NOT_FOUND);
        move(100);
        assertThat(take(1, SECOND)).isEmpty();
    }

    @Test
    void the_receipt_of_a_put_is_good_at_once() {
        Message message = put("a");
        Message updated = await(queues.update(account, JOBS, message.id(), message.receipt(), Optional.of("b"), 0));
        assertThat(removalError(message)).isEqualTo(StorageError.MESSAGE_NOT_FOUND);
        Message taken = take(1, SECOND).get(0);
        assertThat(taken.text()).isEqualTo("b");
        assertThat(taken.dequeueCount()).isEqualTo(1);
        assertThat(removalError(updated)).isEqualTo(StorageError.MESSAGE_NOT_FOUND);
    }

    @Test
    void an_update_keeps_the_text_unless_it_brings_one_and_renews_the_time() {
        put("a");
        Message taken = take(1, 5 * SECOND).get(0);
        Message kept = await(queues.update(account, JOBS, taken.id(), taken.receipt(), Optional.empty(), 20 * SECOND));
        assertThat(kept.text()).isEqualTo("a");
        move(6);
        assertThat(take(1, SECOND)).isEmpty();
        Message shown = await(queues.update(account, JOBS, kept.id(), kept.receipt(), Optional.of(""), 0));
        assertThat(shown.dequeueCount()).isEqualTo(1);
        Message again = take(1, SECOND).get(0);
        assertThat(again.text()).isEmpty();
        assertThat(again.dequeueCount()).isEqualTo(2);
    }

    @Test
    void a_receipt_is_for_its_own_message() {
        put("a");
        put("b");
        List<Message> taken = take(2, 10 * SECOND);
        assertThat(errorOf(queues.remove(
                        account, JOBS, taken.get(0).id(), taken.get(1).receipt())))
                .isEqualTo(StorageError.MESSAGE_NOT_FOUND);
        assertThat(errorOf(queues.remove(
                        account, JOBS, new UUID(1, 2), taken.get(1).receipt())))
                .isEqualTo(StorageError.MESSAGE_NOT_FOUND);
        taken.forEach(this::remove);
    }

    @Test
    void clearing_takes_all_messages_and_their_receipts() {
        Message seen = put("a");
        put("hidden", 5 * SECOND, WEEK);
        await(queues.clear(account, JOBS));
        assertThat(await(queues.count(account, JOBS))).isZero();
        assertThat(removalError(seen)).isEqualTo(StorageError.MESSAGE_NOT_FOUND);
        put("b");
        move(6);
        assertThat(texts(take(32, SECOND))).containsExactly("b");
    }

    @Test
    void a_queue_deleted_is_not_found_and_made_again_is_empty() {
        put("a");
        await(queues.delete(account, JOBS));
        assertThat(errorOf(queues.put(account, JOBS, "b", 0, WEEK))).isEqualTo(StorageError.QUEUE_NOT_FOUND);
        assertThat(errorOf(queues.take(account, JOBS, 1, SECOND, Runnable::run)))
                .isEqualTo(StorageError.QUEUE_NOT_FOUND);
        await(queues.create(account, JOBS, Map.of()));
        assertThat(take(1, SECOND)).isEmpty();
    }

    @Test
    void making_a_queue_again_is_fine_with_the_same_metadata_only() {
        QueueName tagged = new QueueName("tagged");
        assertThat(await(queues.create(account, tagged, Map.of("Owner", "hr")))).isTrue();
        assertThat(await(queues.create(account, tagged, Map.of("owner", "hr")))).isFalse();
        assertThat(errorOf(queues.create(account, tagged, Map.of("owner", "it"))))
                .isEqualTo(StorageError.QUEUE_ALREADY_EXISTS);
        assertThat(await(queues.queue(account, tagged)).metadata()).containsExactly(Map.entry("Owner", "hr"));
    }

    @Test
    void counts_and_messages_are_there_after_a_restart() throws Exception {
        put("a");
        Message taken = take(1, 30 * SECOND).get(0);
        put("b");
        restart();
        assertThat(await(queues.count(account, JOBS))).isEqualTo(2);
        assertThat(texts(take(32, 60 * SECOND))).containsExactly("b");
        move(31);
        assertThat(take(1, SECOND).get(0).dequeueCount()).isEqualTo(2);
        assertThat(removalError(taken)).isEqualTo(StorageError.MESSAGE_NOT_FOUND);
    }

    @Test
    void a_clock_that_goes_back_hides_nothing_that_was_seen() {
        put("a");
        Instant before = clock.instant();
        clock.set(before.minusSeconds(3600));
        assertThat(texts(peek(1))).containsExactly("a");
        put("b");
        assertThat(texts(take(32, SECOND))).containsExactly("a", "b");
    }

    @Test
    void texts_are_kept_as_they_are() {
        List<String> texts = List.of("", " ", "\r\n\t", "<&>\"'", "\uD83D\uDE00 \u00E9", "x".repeat(64 * 1024));
        texts.forEach(this::put);
        assertThat(texts(take(32, SECOND))).isEqualTo(texts);
    }

    @Test
    void what_many_put_is_taken_once_by_one_of_many() throws Exception {
        int producers = 4;
        int consumers = 8;
        int each = 150;
        ExecutorService threads = Executors.newFixedThreadPool(producers + consumers);
        try {
            AtomicInteger left = new AtomicInteger(producers * each);
            Set<UUID> taken = ConcurrentHashMap.newKeySet();
            List<Future<Void>> work = new ArrayList<>();
            for (int i = 0; i < producers; i++) {
                String name = "p" + i + "-";
                work.add(threads.submit((Callable<Void>) () -> {
                    for (int j = 0; j < each; j++) {
                        put(name + j);
                    }
                    return null;
                }));
            }
            for (int i = 0; i < consumers; i++) {
                int atOnce = 1 + i;
                work.add(threads.submit((Callable<Void>) () -> {
                    try {
                        while (left.get() > 0) {
                            for (Message message : take(atOnce, 3600 * SECOND)) {
                                assertThat(taken.add(message.id()))
                                        .as("nobody else has it")
                                        .isTrue();
                                remove(message);
                                left.decrementAndGet();
                            }
                        }
                    } finally {
                        // Otherwise the others would wait for ever for the message of a failed one.
                        left.set(0);
                    }
                    return null;
                }));
            }
            for (Future<Void> done : work) {
                done.get(60, TimeUnit.SECONDS);
            }
            assertThat(taken).hasSize(producers * each);
        } finally {
            threads.shutdownNow();
        }
        assertThat(await(queues.count(account, JOBS))).isZero();
    }

    @Test
    void receipts_are_text_that_needs_no_escapes_and_reads_back() {
        Message message = put("a");
        String text = message.receipt().toString();
        assertThat(text).matches("[0-9a-f]+");
        assertThat(Receipt.isWellFormed(text)).isTrue();
        assertThat(Receipt.parse(text)).contains(message.receipt());
        Set<String> receipts = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            receipts.add(put("b").receipt().toString());
        }
        assertThat(receipts).hasSize(20);
        assertThatThrownBy(() -> new QueueName("Jobs")).isInstanceOf(StorageException.class);
    }
}
