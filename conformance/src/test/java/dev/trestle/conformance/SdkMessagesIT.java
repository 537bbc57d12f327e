package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.models.PeekedMessageItem;
import com.azure.storage.queue.models.QueueMessageItem;
import com.azure.storage.queue.models.SendMessageResult;
import com.azure.storage.queue.models.UpdateMessageResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

@ExtendWith(SharedServer.class)
class SdkMessagesIT {
    private static final int TEXT_BYTES_MAX = 65_536;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration WEEK = Duration.ofDays(7);

    /** Longer than any test. */
    private static final Duration LONG = Duration.ofHours(1);

    private final TrestleProcess server;
    private final QueueClient queue;

    SdkMessagesIT(TrestleProcess server) {
        this.server = server;
        this.queue = Sdk.newQueue(server);
    }

    private List<QueueMessageItem> receive(int messages, Duration hidden) {
        return queue.receiveMessages(messages, hidden, null, null).stream().toList();
    }

    private QueueMessageItem receiveOne(Duration hidden) {
        List<QueueMessageItem> received = receive(1, hidden);
        assertThat(received).hasSize(1);
        return received.get(0);
    }

    /** The next message that can be seen, which may take a while. */
    private QueueMessageItem awaitOne(Duration hidden) {
        List<QueueMessageItem> received = new ArrayList<>();
        Deadline.await(() -> "no message", () -> received.addAll(receive(1, hidden)));
        return received.get(0);
    }

    private List<String> peek(int messages) {
        return queue.peekMessages(messages, null, null).stream()
                .map(message -> message.getBody().toString())
                .toList();
    }

    private SendMessageResult send(String text, Duration delay, Duration life) {
        return queue.sendMessageWithResponse(text, delay, life, null, null).getValue();
    }

    @Test
    void a_message_is_received_as_it_was_sent() {
        SendMessageResult sent = queue.sendMessage("first");
        assertThat(sent.getPopReceipt()).isNotEmpty();
        assertThat(Duration.between(sent.getInsertionTime(), sent.getExpirationTime()))
                .isEqualTo(WEEK);

        QueueMessageItem received = queue.receiveMessage();
        assertThat(received.getMessageId()).isEqualTo(sent.getMessageId());
        assertThat(received.getBody()).hasToString("first");
        assertThat(received.getDequeueCount()).isEqualTo(1);
        assertThat(received.getInsertionTime()).isEqualTo(sent.getInsertionTime());
        assertThat(received.getExpirationTime()).isEqualTo(sent.getExpirationTime());
        assertThat(received.getPopReceipt()).isNotEqualTo(sent.getPopReceipt());
        assertThat(received.getTimeNextVisible())
                .isAfterOrEqualTo(sent.getInsertionTime().plusSeconds(29));
        queue.deleteMessage(received.getMessageId(), received.getPopReceipt());
    }

    @Test
    void messages_come_in_the_order_they_were_sent() {
        List<String> texts =
                IntStream.range(0, 10).mapToObj(i -> "message " + i).toList();
        texts.forEach(queue::sendMessage);
        assertThat(peek(32)).isEqualTo(texts);
        List<String> received = new ArrayList<>();
        for (int messages : List.of(1, 3, 32)) {
            receive(messages, LONG)
                    .forEach(message -> received.add(message.getBody().toString()));
        }
        assertThat(received).isEqualTo(texts);
    }

    @Test
    void peeking_changes_nothing() {
        queue.sendMessage("seen");
        PeekedMessageItem peeked = queue.peekMessage();
        assertThat(peeked.getBody()).hasToString("seen");
        assertThat(peeked.getDequeueCount()).isZero();
        assertThat(queue.peekMessage().getMessageId()).isEqualTo(peeked.getMessageId());
        assertThat(receiveOne(LONG).getDequeueCount()).isEqualTo(1);
        assertThat(queue.peekMessage()).isNull();
    }

    @Test
    void an_empty_queue_gives_nothing_and_fails_at_nothing() {
        assertThat(queue.receiveMessage()).isNull();
        assertThat(queue.peekMessage()).isNull();
        assertThat(receive(32, LONG)).isEmpty();
        queue.clearMessages();
    }

    @Test
    void at_most_32_messages_are_given_each_with_a_receipt_of_its_own() {
        for (int i = 0; i < 40; i++) {
            queue.sendMessage("message " + i);
        }
        assertThat(peek(32)).hasSize(32);
        List<QueueMessageItem> first = receive(32, LONG);
        assertThat(first).hasSize(32);
        assertThat(first.stream().map(QueueMessageItem::getPopReceipt).distinct())
                .hasSize(32);
        assertThat(receive(32, LONG)).hasSize(8);
        first.forEach(message -> queue.deleteMessage(message.getMessageId(), message.getPopReceipt()));
        assertThat(queue.getProperties().getApproximateMessagesCountLong()).isEqualTo(8);
    }

    @Test
    void what_one_consumer_has_taken_no_other_sees() {
        queue.sendMessage("only");
        receiveOne(LONG);
        assertThat(receive(32, LONG)).isEmpty();
        assertThat(peek(32)).isEmpty();
    }

    @Test
    void a_message_comes_back_when_its_time_has_passed_and_counts() {
        queue.sendMessage("again");
        String first = receiveOne(SECOND).getPopReceipt();
        QueueMessageItem second = awaitOne(SECOND);
        QueueMessageItem third = awaitOne(LONG);
        assertThat(second.getDequeueCount()).isEqualTo(2);
        assertThat(third.getDequeueCount()).isEqualTo(3);
        assertThat(third.getMessageId()).isEqualTo(second.getMessageId());
        assertThat(List.of(first, second.getPopReceipt(), third.getPopReceipt()))
                .doesNotHaveDuplicates();
    }

    @Test
    void a_delayed_message_is_seen_in_time() {
        send("late", LONG, WEEK);
        SendMessageResult sent = send("soon", SECOND, WEEK);
        assertThat(sent.getTimeNextVisible())
                .isBetween(
                        sent.getInsertionTime().plusSeconds(1),
                        sent.getInsertionTime().plusSeconds(2));
        assertThat(awaitOne(LONG).getBody()).hasToString("soon");
        assertThat(queue.getProperties().getApproximateMessagesCountLong()).isEqualTo(2);
    }

    @Test
    void whoever_sent_a_message_may_change_and_delete_it_before_it_is_received() {
        SendMessageResult sent = send("hidden", LONG, WEEK);
        UpdateMessageResult updated =
                queue.updateMessage(sent.getMessageId(), sent.getPopReceipt(), "shown", Duration.ZERO);
        assertThat(peek(1)).containsExactly("shown");
        queue.deleteMessage(sent.getMessageId(), updated.getPopReceipt());
        assertThat(peek(1)).isEmpty();
    }

    @Test
    void a_message_that_never_expires_does_so_at_the_end_of_time() {
        SendMessageResult sent = send("for ever", Duration.ZERO, Duration.ofSeconds(-1));
        assertThat(sent.getExpirationTime().getYear()).isEqualTo(9999);
        assertThat(queue.receiveMessage().getExpirationTime()).isEqualTo(sent.getExpirationTime());
        assertThat(send("long", Duration.ZERO, Duration.ofSeconds(Integer.MAX_VALUE))
                        .getExpirationTime()
                        .getYear())
                .isGreaterThan(2080);
    }

    @Test
    void an_expired_message_is_gone_for_everybody() {
        SendMessageResult sent = send("short", Duration.ZERO, SECOND);
        SendMessageResult other = send("short and held", Duration.ZERO, Duration.ofSeconds(2));
        Deadline.await(() -> "still there", () -> queue.peekMessage() == null);
        assertThat(receive(32, LONG)).isEmpty();
        for (SendMessageResult gone : List.of(sent, other)) {
            Sdk.refused(404, "MessageNotFound", () -> queue.deleteMessage(gone.getMessageId(), gone.getPopReceipt()));
            Sdk.refused(
                    404,
                    "MessageNotFound",
                    () -> queue.updateMessage(gone.getMessageId(), gone.getPopReceipt(), "late", Duration.ZERO));
        }
    }

    @Test
    void a_message_may_be_taken_for_longer_than_it_lives() {
        send("short", Duration.ZERO, Duration.ofMinutes(5));
        QueueMessageItem taken = receiveOne(LONG);
        assertThat(taken.getTimeNextVisible()).isAfter(taken.getExpirationTime());
        queue.deleteMessage(taken.getMessageId(), taken.getPopReceipt());
    }

    @Test
    void updating_gives_a_new_receipt_and_kills_the_old() {
        queue.sendMessage("step 0");
        QueueMessageItem taken = receiveOne(LONG);
        UpdateMessageResult first = queue.updateMessage(taken.getMessageId(), taken.getPopReceipt(), "step 1", LONG);
        assertThat(first.getPopReceipt()).isNotEqualTo(taken.getPopReceipt());
        assertThat(first.getTimeNextVisible())
                .isAfterOrEqualTo(taken.getInsertionTime().plus(LONG));
        Sdk.refused(404, "MessageNotFound", () -> queue.deleteMessage(taken.getMessageId(), taken.getPopReceipt()));
        Sdk.refused(
                404,
                "MessageNotFound",
                () -> queue.updateMessage(taken.getMessageId(), taken.getPopReceipt(), "step 2", LONG));
        // Without a text the old one stays.
        UpdateMessageResult second =
                queue.updateMessage(taken.getMessageId(), first.getPopReceipt(), null, Duration.ZERO);
        QueueMessageItem again = receiveOne(LONG);
        assertThat(again.getBody()).hasToString("step 1");
        assertThat(again.getDequeueCount()).isEqualTo(2);
        assertThat(again.getExpirationTime()).isEqualTo(taken.getExpirationTime());
        Sdk.refused(404, "MessageNotFound", () -> queue.deleteMessage(taken.getMessageId(), second.getPopReceipt()));
    }

    @Test
    void a_message_cannot_be_hidden_beyond_its_end() {
        SendMessageResult sent = send("short", Duration.ZERO, Duration.ofMinutes(5));
        Sdk.refused(
                400,
                "OutOfRangeQueryParameterValue",
                () -> queue.updateMessage(sent.getMessageId(), sent.getPopReceipt(), "text", LONG));
        assertThat(peek(1)).containsExactly("short");
    }

    @Test
    void a_receipt_outlives_its_time_while_nobody_else_takes_the_message() {
        queue.sendMessage("slow");
        QueueMessageItem taken = receiveOne(SECOND);
        Deadline.await(() -> "not back", () -> queue.peekMessage() != null);
        queue.deleteMessage(taken.getMessageId(), taken.getPopReceipt());
        assertThat(queue.peekMessage()).isNull();
    }

    @Test
    void a_slow_consumer_does_not_delete_what_another_has_taken() {
        queue.sendMessage("contended");
        QueueMessageItem slow = receiveOne(SECOND);
        QueueMessageItem quick = awaitOne(LONG);
        Sdk.refused(404, "MessageNotFound", () -> queue.deleteMessage(slow.getMessageId(), slow.getPopReceipt()));
        queue.deleteMessage(quick.getMessageId(), quick.getPopReceipt());
        Sdk.refused(404, "MessageNotFound", () -> queue.deleteMessage(quick.getMessageId(), quick.getPopReceipt()));
    }

    @Test
    void a_receipt_opens_nothing_but_its_own_message() {
        SendMessageResult one = queue.sendMessage("one");
        SendMessageResult two = queue.sendMessage("two");
        QueueClient otherQueue = Sdk.newQueue(server);
        SendMessageResult elsewhere = otherQueue.sendMessage("elsewhere");
        for (String foreign : List.of(
                two.getPopReceipt(),
                elsewhere.getPopReceipt(),
                "AgAAAAMAAAAAAAAAShvCCZcr1QE=",
                "AgAAAAMAAAAAAAAA/xvCCZcr+QE=")) {
            Sdk.refused(404, "MessageNotFound", () -> queue.deleteMessage(one.getMessageId(), foreign));
            Sdk.refused(404, "MessageNotFound", () -> queue.updateMessage(one.getMessageId(), foreign, "x", LONG));
        }
        Sdk.refused(
                404,
                "MessageNotFound",
                () -> queue.deleteMessage("5974b586-0df3-4e2d-ad0c-18e3892bfca2", one.getPopReceipt()));
        Sdk.refused(404, "MessageNotFound", () -> queue.deleteMessage("no-guid", one.getPopReceipt()));
        assertThat(peek(32)).containsExactly("one", "two");
        assertThat(otherQueue.peekMessage()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"not a receipt!", "*", "AgAA=", "====", "\u00E9"})
    void a_malformed_receipt_is_a_bad_parameter(String receipt) {
        SendMessageResult sent = queue.sendMessage("text");
        Sdk.refused(400, "InvalidQueryParameterValue", () -> queue.deleteMessage(sent.getMessageId(), receipt));
        Sdk.refused(
                400,
                "InvalidQueryParameterValue",
                () -> queue.updateMessage(sent.getMessageId(), receipt, "text", LONG));
    }

    @Test
    void clearing_takes_all_messages_also_those_that_are_held() {
        for (int i = 0; i < 10; i++) {
            queue.sendMessage("message " + i);
        }
        QueueMessageItem held = receiveOne(LONG);
        queue.clearMessages();
        assertThat(peek(32)).isEmpty();
        Sdk.refused(404, "MessageNotFound", () -> queue.deleteMessage(held.getMessageId(), held.getPopReceipt()));
        queue.sendMessage("after");
        assertThat(receiveOne(LONG).getBody()).hasToString("after");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "  both ends  ",
                "\n",
                "\ttab\tand\nline feeds\n\n",
                "<b>bold</b> & \"quoted\" 'too'",
                "]]> <![CDATA[ <!-- -->",
                "&amp; &lt; &#13;",
                "\u00E9\u4E2D\u6587\uD83D\uDE00 \uD83D\uDC68\u200D\uD83D\uDC69",
                "\uFFFD\uE000\u0085\u2028",
                "{\"json\":[1,2,\"\\n\"]}",
            })
    void any_text_comes_back_as_it_was(String text) {
        SendMessageResult sent = queue.sendMessage(text);
        assertThat(queue.peekMessage().getBody()).hasToString(text);
        queue.updateMessage(sent.getMessageId(), sent.getPopReceipt(), text + text, Duration.ZERO);
        assertThat(queue.receiveMessage().getBody()).hasToString(text + text);
    }

    @Test
    void a_text_may_be_empty() {
        queue.sendMessage("");
        PeekedMessageItem peeked = queue.peekMessage();
        assertThat(peeked).isNotNull();
        // This SDK returns this for an empty element.
        assertThat(peeked.getBody()).isNull();
    }

    @Test
    void a_text_has_at_most_64_kib_in_utf_8() {
        String longest = "x".repeat(TEXT_BYTES_MAX);
        SendMessageResult sent = queue.sendMessage(longest);
        assertThat(queue.peekMessage().getBody()).hasToString(longest);
        String wide = "\uD83D\uDE00".repeat(TEXT_BYTES_MAX / 4);
        queue.updateMessage(sent.getMessageId(), sent.getPopReceipt(), wide, Duration.ZERO);
        assertThat(queue.peekMessage().getBody()).hasToString(wide);
        for (String tooLong : List.of(longest + "x", wide + "x", "\u4E2D".repeat(TEXT_BYTES_MAX / 3 + 1))) {
            Sdk.refused(413, "RequestBodyTooLarge", () -> queue.sendMessage(tooLong));
        }
        // Markup is counted as it is meant, not as it is written.
        queue.clearMessages();
        String markup = "&".repeat(26_000);
        queue.sendMessage(markup);
        assertThat(queue.peekMessage().getBody()).hasToString(markup);
        Sdk.refused(413, "RequestBodyTooLarge", () -> queue.sendMessage("&".repeat(27_000)));
    }

    @Test
    void thirty_two_of_the_longest_messages_come_at_once() {
        String longest = "\u00E9".repeat(TEXT_BYTES_MAX / 2);
        for (int i = 0; i < 32; i++) {
            queue.sendMessage(longest);
        }
        assertThat(receive(32, LONG))
                .hasSize(32)
                .allSatisfy(message -> assertThat(message.getBody()).hasToString(longest));
    }

    @Test
    void base64_is_between_clients() {
        QueueClient encoding = Sdk.queue()
                .endpoint(queue.getQueueUrl())
                .credential(new AzureNamedKeyCredential(TrestleProcess.ACCOUNT, TrestleProcess.KEY))
                .messageEncoding(QueueMessageEncoding.BASE64)
                .buildClient();
        encoding.sendMessage("r\u00E9sum\u00E9 \u0001");
        assertThat(queue.peekMessage().getBody()).hasToString("csOpc3Vtw6kgAQ==");
        assertThat(encoding.receiveMessage().getBody()).hasToString("r\u00E9sum\u00E9 \u0001");
    }

    @Test
    void numbers_of_messages_are_from_1_to_32() {
        for (int messages : List.of(0, -1, 33, Integer.MAX_VALUE)) {
            Sdk.refused(400, "OutOfRangeQueryParameterValue", () -> receive(messages, LONG));
            Sdk.refused(400, "OutOfRangeQueryParameterValue", () -> peek(messages));
        }
    }

    @Test
    void times_have_their_ranges() {
        Duration beyond = WEEK.plus(SECOND);
        Duration past = Duration.ofSeconds(-1);
        Sdk.refused(400, "OutOfRangeQueryParameterValue", () -> receive(1, Duration.ZERO));
        Sdk.refused(400, "OutOfRangeQueryParameterValue", () -> receive(1, past));
        Sdk.refused(400, "OutOfRangeQueryParameterValue", () -> receive(1, beyond));
        Sdk.refused(400, "OutOfRangeQueryParameterValue", () -> send("text", past, WEEK));
        Sdk.refused(400, "OutOfRangeQueryParameterValue", () -> send("text", beyond, past));
        Sdk.refused(400, "InvalidQueryParameterValue", () -> send("text", SECOND, SECOND));
        Sdk.refused(400, "InvalidQueryParameterValue", () -> send("text", Duration.ZERO, Duration.ZERO));
        Sdk.refused(400, "InvalidQueryParameterValue", () -> send("text", Duration.ZERO, Duration.ofSeconds(-2)));
        assertThat(receive(1, WEEK)).isEmpty();
        SendMessageResult sent = send("text", WEEK, past);
        Sdk.refused(
                400,
                "OutOfRangeQueryParameterValue",
                () -> queue.updateMessage(sent.getMessageId(), sent.getPopReceipt(), "text", beyond));
        queue.updateMessage(sent.getMessageId(), sent.getPopReceipt(), "text", WEEK);
        assertThat(queue.getProperties().getApproximateMessagesCountLong()).isEqualTo(1);
    }

    @Test
    void an_asynchronous_client_sends_takes_and_deletes_many_at_once() {
        QueueAsyncClient async = Sdk.queue()
                .endpoint(queue.getQueueUrl())
                .credential(new AzureNamedKeyCredential(TrestleProcess.ACCOUNT, TrestleProcess.KEY))
                .buildAsyncClient();
        List<String> sent = Flux.range(0, 100)
                .flatMap(i -> async.sendMessage("message " + i), 16)
                .map(SendMessageResult::getMessageId)
                .collectList()
                .block(Duration.ofMinutes(1));
        List<String> deleted = Flux.range(0, 10)
                .flatMap(i -> async.receiveMessages(10, LONG), 5)
                .flatMap(message -> async.deleteMessage(message.getMessageId(), message.getPopReceipt())
                        .thenReturn(message.getMessageId()))
                .collectList()
                .block(Duration.ofMinutes(1));
        assertThat(deleted).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(queue.getProperties().getApproximateMessagesCountLong()).isZero();
    }
}
