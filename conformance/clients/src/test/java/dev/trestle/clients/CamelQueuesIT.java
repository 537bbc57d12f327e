package dev.trestle.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.azure.storage.queue.models.PeekedMessageItem;
import com.azure.storage.queue.models.QueueItem;
import com.azure.storage.queue.models.QueueMessageItem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.azure.storage.queue.QueueConstants;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Apache Camel's component for queues, as producer and as consumer. */
class CamelQueuesIT {
    private static final RequestRetryOptions NO_RETRIES =
            new RequestRetryOptions(RetryPolicyType.FIXED, 1, Duration.ofSeconds(60), null, null, null);

    private Server server;
    private QueueServiceClient queues;
    private DefaultCamelContext camel;
    private ProducerTemplate template;

    @BeforeEach
    void start() {
        server = Server.start("camel-queues");
        queues = new QueueServiceClientBuilder()
                .connectionString(server.connectionString())
                .retryOptions(NO_RETRIES)
                .buildClient();
        camel = new DefaultCamelContext();
        camel.getRegistry().bind("queues", queues);
        camel.start();
        template = camel.createProducerTemplate();
        template.requestBody(uri("jobs", "createQueue"), (Object) null);
    }

    @AfterEach
    void stop() {
        camel.stop();
        server.close();
    }

    @Test
    void queues_are_made_listed_and_deleted() {
        template.requestBody(uri("others", "createQueue"), (Object) null);
        assertThat(names()).containsExactly("jobs", "others");
        template.requestBody(uri("others", "deleteQueue"), (Object) null);
        assertThat(names()).containsExactly("jobs");
    }

    @Test
    void a_message_is_sent_peeked_received_updated_and_deleted() {
        template.requestBody(uri("jobs", "sendMessage"), "grün 水 🚀");
        assertThat(peek()).containsExactly("grün 水 🚀");
        QueueMessageItem received = receive();
        assertThat(received.getBody()).hasToString("grün 水 🚀");
        assertThat(peek()).isEmpty();
        template.requestBodyAndHeaders(
                uri("jobs", "updateMessage"),
                "changed",
                Map.of(
                        QueueConstants.MESSAGE_ID, received.getMessageId(),
                        QueueConstants.POP_RECEIPT, received.getPopReceipt(),
                        QueueConstants.VISIBILITY_TIMEOUT, Duration.ZERO));
        QueueMessageItem again = receive();
        assertThat(again.getBody()).hasToString("changed");
        assertThat(again.getDequeueCount()).isEqualTo(2);
        template.requestBodyAndHeaders(
                uri("jobs", "deleteMessage"),
                null,
                Map.of(
                        QueueConstants.MESSAGE_ID, again.getMessageId(),
                        QueueConstants.POP_RECEIPT, again.getPopReceipt()));
        assertThat(peek()).isEmpty();
    }

    @Test
    void a_queue_is_cleared() {
        template.requestBody(uri("jobs", "sendMessage"), "one");
        template.requestBody(uri("jobs", "sendMessage"), "two");
        template.requestBody(uri("jobs", "clearQueue"), (Object) null);
        assertThat(peek()).isEmpty();
    }

    @Test
    void a_route_consumes_messages_and_deletes_them() throws Exception {
        MockEndpoint seen = camel.getEndpoint("mock:seen", MockEndpoint.class);
        seen.expectedBodiesReceivedInAnyOrder("one", "two", "three");
        seen.setResultWaitTime(60_000);
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from(address("jobs")
                                + "?serviceClient=#queues&maxMessages=2&visibilityTimeout=PT60S&delay=100&initialDelay=0")
                        .convertBodyTo(String.class)
                        .to("mock:seen");
            }
        });
        for (String text : List.of("one", "two", "three")) {
            template.requestBody(uri("jobs", "sendMessage"), text);
        }
        seen.assertIsSatisfied();
        // Stopping waits for the exchanges in flight, whose messages are deleted at their end.
        camel.getRouteController().stopAllRoutes();
        assertThat(queues.getQueueClient("jobs").getProperties().getApproximateMessagesCountLong())
                .isZero();
    }

    private List<String> names() {
        List<?> found = template.requestBody(uri("", "listQueues"), null, List.class);
        return found.stream().map(QueueItem.class::cast).map(QueueItem::getName).toList();
    }

    private List<String> peek() {
        List<?> found = template.requestBody(uri("jobs", "peekMessages") + "&maxMessages=32", null, List.class);
        return found.stream()
                .map(PeekedMessageItem.class::cast)
                .map(message -> message.getBody().toString())
                .toList();
    }

    private QueueMessageItem receive() {
        List<?> received = template.requestBody(
                uri("jobs", "receiveMessages") + "&maxMessages=1&visibilityTimeout=PT60S", null, List.class);
        assertThat(received).hasSize(1);
        return (QueueMessageItem) received.get(0);
    }

    private static String address(String queue) {
        return "azure-storage-queue://" + Server.ACCOUNT + (queue.isEmpty() ? "" : "/" + queue);
    }

    private static String uri(String queue, String operation) {
        return address(queue) + "?serviceClient=#queues&operation=" + operation;
    }
}
