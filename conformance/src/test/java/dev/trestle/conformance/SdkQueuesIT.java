package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.rest.PagedResponse;
import com.azure.core.http.rest.Response;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.models.QueueItem;
import com.azure.storage.queue.models.QueuesSegmentOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SharedServer.class)
class SdkQueuesIT {
    private final TrestleProcess server;
    private final QueueServiceClient service;

    SdkQueuesIT(TrestleProcess server) {
        this.server = server;
        this.service = Sdk.queueService(server);
    }

    private QueueClient absent() {
        return service.getQueueClient(SharedServer.newQueueName());
    }

    @Test
    void the_connection_string_of_the_banner_connects_to_queues_too() {
        String banner = server.log()
                .lines()
                .filter(line -> line.contains("AccountName=" + TrestleProcess.ACCOUNT + ";"))
                .map(line -> line.substring(line.indexOf("DefaultEndpointsProtocol=")))
                .findFirst()
                .orElseThrow()
                .replace("<your key>", TrestleProcess.KEY);
        QueueServiceClient client = Sdk.queueService().connectionString(banner).buildClient();
        assertThat(client.getQueueServiceUrl()).startsWith(server.queueEndpoint());
        client.createQueue(SharedServer.newQueueName());
    }

    @Test
    void a_created_queue_is_listed_and_a_deleted_one_is_not() {
        String name = SharedServer.newQueueName() + "-listed";
        service.createQueue(name);
        assertThat(listed(name)).containsExactly(name);
        service.deleteQueue(name);
        assertThat(listed(name)).isEmpty();
    }

    @Test
    void creating_the_same_again_is_no_failure_but_other_metadata_are() {
        QueueClient queue = absent();
        Map<String, String> metadata = Map.of("owner", "hr");
        assertThat(queue.createWithResponse(metadata, null, null).getStatusCode())
                .isEqualTo(201);
        assertThat(queue.createWithResponse(metadata, null, null).getStatusCode())
                .isEqualTo(204);
        assertThat(queue.createWithResponse(Map.of("Owner", "hr"), null, null).getStatusCode())
                .isEqualTo(204);
        Sdk.refused(409, "QueueAlreadyExists", queue::create);
        Sdk.refused(409, "QueueAlreadyExists", () -> queue.createWithResponse(Map.of("owner", "HR"), null, null));
        assertThat(queue.getProperties().getMetadata()).isEqualTo(metadata);
    }

    @Test
    void creating_if_not_exists_may_be_repeated_also_with_other_metadata() {
        QueueClient queue = absent();
        assertThat(createIfNotExists(queue, Map.of())).isEqualTo("201 true");
        // To this SDK whatever is no conflict was made.
        assertThat(createIfNotExists(queue, Map.of())).isEqualTo("204 true");
        assertThat(createIfNotExists(queue, Map.of("a", "b"))).isEqualTo("409 false");
    }

    private static String createIfNotExists(QueueClient queue, Map<String, String> metadata) {
        Response<Boolean> response = queue.createIfNotExistsWithResponse(metadata, null, null);
        return response.getStatusCode() + " " + response.getValue();
    }

    @Test
    void deleting_if_exists_says_whether_it_did() {
        QueueClient queue = absent();
        assertThat(queue.deleteIfExists()).isFalse();
        queue.create();
        assertThat(queue.deleteIfExists()).isTrue();
        assertThat(queue.deleteIfExists()).isFalse();
    }

    @Test
    void nothing_can_be_done_with_an_absent_queue() {
        QueueClient queue = absent();
        Sdk.refused(404, "QueueNotFound", queue::delete);
        Sdk.refused(404, "QueueNotFound", queue::getProperties);
        Sdk.refused(404, "QueueNotFound", () -> queue.setMetadata(Map.of("a", "b")));
        Sdk.refused(404, "QueueNotFound", () -> queue.setAccessPolicy(List.of()));
        Sdk.refused(404, "QueueNotFound", () -> queue.getAccessPolicy().stream().count());
        Sdk.refused(404, "QueueNotFound", () -> queue.sendMessage("text"));
        Sdk.refused(404, "QueueNotFound", queue::receiveMessage);
        Sdk.refused(404, "QueueNotFound", queue::peekMessage);
        Sdk.refused(404, "QueueNotFound", queue::clearMessages);
    }

    @Test
    void a_recreated_queue_is_empty_and_a_message_of_the_old_one_is_gone() {
        QueueClient queue = Sdk.newQueue(server);
        var sent = queue.sendMessage("before");
        queue.delete();
        Sdk.refused(404, "QueueNotFound", () -> queue.deleteMessage(sent.getMessageId(), sent.getPopReceipt()));
        queue.create();
        assertThat(queue.peekMessage()).isNull();
        assertThat(queue.getProperties().getApproximateMessagesCountLong()).isZero();
        Sdk.refused(404, "MessageNotFound", () -> queue.deleteMessage(sent.getMessageId(), sent.getPopReceipt()));
    }

    @Test
    void metadata_are_replaced_as_a_whole_and_keep_their_case() {
        QueueClient queue = absent();
        queue.createWithResponse(Map.of("Owner", "hr", "_x1", "a b, c"), null, null);
        assertThat(queue.getProperties().getMetadata()).isEqualTo(Map.of("Owner", "hr", "_x1", "a b, c"));
        queue.setMetadata(Map.of("other", "1"));
        assertThat(queue.getProperties().getMetadata()).isEqualTo(Map.of("other", "1"));
        queue.setMetadata(null);
        assertThat(queue.getProperties().getMetadata()).isEmpty();
    }

    @Test
    void metadata_have_their_rules() {
        QueueClient queue = Sdk.newQueue(server);
        queue.setMetadata(Map.of("kept", "1"));
        Sdk.refused(400, "InvalidMetadata", () -> queue.setMetadata(Map.of("no-hyphen", "1")));
        Sdk.refused(400, "InvalidMetadata", () -> queue.setMetadata(Map.of("1st", "1")));
        Sdk.refused(400, "InvalidMetadata", () -> absent().createWithResponse(Map.of("a.b", "1"), null, null));
        queue.setMetadata(Map.of("a", "x".repeat(8191)));
        Sdk.refused(400, "MetadataTooLarge", () -> queue.setMetadata(Map.of("a", "x".repeat(8192))));
        assertThat(queue.getProperties().getMetadata()).containsOnlyKeys("a");
    }

    @Test
    void the_count_is_of_all_messages_seen_or_not() {
        QueueClient queue = Sdk.newQueue(server);
        assertThat(queue.getProperties().getApproximateMessagesCountLong()).isZero();
        for (int i = 0; i < 5; i++) {
            queue.sendMessage("message " + i);
        }
        var taken = queue.receiveMessage();
        assertThat(queue.getProperties().getApproximateMessagesCountLong()).isEqualTo(5);
        queue.deleteMessage(taken.getMessageId(), taken.getPopReceipt());
        assertThat(queue.getProperties().getApproximateMessagesCountLong()).isEqualTo(4);
        queue.clearMessages();
        assertThat(queue.getProperties().getApproximateMessagesCountLong()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Upper", "under_score", "-leading", "trailing-", "double--hyphen", "dot.dot"})
    void names_with_anything_but_small_letters_digits_and_single_hyphens_are_refused(String name) {
        Sdk.refused(400, "InvalidResourceName", () -> service.createQueue(name));
    }

    @Test
    void names_have_3_to_63_characters() {
        Sdk.refused(400, "OutOfRangeInput", () -> service.createQueue("ab"));
        Sdk.refused(400, "OutOfRangeInput", () -> service.createQueue("a".repeat(64)));
        String longest = (SharedServer.newQueueName() + "-".concat("x".repeat(63))).substring(0, 63);
        service.createQueue(longest).delete();
        service.getQueueClient("0-9").createIfNotExists();
    }

    @Test
    void listing_goes_on_where_a_page_ended_also_in_another_client() {
        String prefix = SharedServer.newQueueName() + "-page-";
        List<String> names = List.of(prefix + "a", prefix + "b", prefix + "c", prefix + "d", prefix + "e");
        names.forEach(service::createQueue);
        QueuesSegmentOptions options =
                new QueuesSegmentOptions().setPrefix(prefix).setMaxResultsPerPage(2);

        PagedResponse<QueueItem> first = service.listQueues(options, null, null)
                .iterableByPage()
                .iterator()
                .next();
        assertThat(first.getValue()).extracting(QueueItem::getName).isEqualTo(names.subList(0, 2));

        List<PagedResponse<QueueItem>> rest = Sdk.queueService(server)
                .listQueues(options, null, null)
                .streamByPage(first.getContinuationToken())
                .toList();
        assertThat(rest).hasSize(2);
        assertThat(rest.stream().flatMap(page -> page.getValue().stream()))
                .extracting(QueueItem::getName)
                .isEqualTo(names.subList(2, 5));
    }

    @Test
    void a_list_tells_metadata_when_asked_to() {
        String name = SharedServer.newQueueName() + "-told";
        Map<String, String> metadata = Map.of("Owner", "<hr> & \"others\"", "empty", "x");
        service.createQueueWithResponse(name, metadata, null, null);
        assertThat(service.listQueues(new QueuesSegmentOptions().setPrefix(name), null, null).stream())
                .allSatisfy(item -> assertThat(item.getMetadata()).isNullOrEmpty())
                .hasSize(1);
        assertThat(
                        service
                                .listQueues(
                                        new QueuesSegmentOptions()
                                                .setPrefix(name)
                                                .setIncludeMetadata(true),
                                        null,
                                        null)
                                .stream())
                .extracting(QueueItem::getMetadata)
                .containsExactly(metadata);
    }

    @Test
    void a_page_has_at_least_one_queue() {
        QueuesSegmentOptions none = new QueuesSegmentOptions().setMaxResultsPerPage(0);
        Sdk.refused(
                400,
                "OutOfRangeQueryParameterValue",
                () -> service.listQueues(none, null, null).stream().count());
    }

    @Test
    void a_table_and_a_queue_may_have_the_same_name() {
        String name = "same" + SharedServer.newTableName();
        Sdk.service(server).createTable(name);
        service.createQueue(name).sendMessage("text");
        Sdk.service(server).deleteTable(name);
        assertThat(service.getQueueClient(name).peekMessage().getBody()).hasToString("text");
    }

    private List<String> listed(String prefix) {
        return service.listQueues(new QueuesSegmentOptions().setPrefix(prefix), null, null).stream()
                .map(QueueItem::getName)
                .toList();
    }
}
