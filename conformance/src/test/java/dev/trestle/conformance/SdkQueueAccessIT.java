package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.storage.common.sas.SasIpRange;
import com.azure.storage.common.sas.SasProtocol;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.models.QueueAccessPolicy;
import com.azure.storage.queue.models.QueueMessageItem;
import com.azure.storage.queue.models.QueueServiceProperties;
import com.azure.storage.queue.models.QueueSignedIdentifier;
import com.azure.storage.queue.models.SendMessageResult;
import com.azure.storage.queue.sas.QueueSasPermission;
import com.azure.storage.queue.sas.QueueServiceSasSignatureValues;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Keys, signatures made by the SDK, and stored access policies, all of queues. */
@ExtendWith(SharedServer.class)
class SdkQueueAccessIT {
    private static final String PERMISSION = "AuthorizationPermissionMismatch";
    private static final String FAILURE = "AuthorizationFailure";

    private final TrestleProcess server;
    private final QueueServiceClient service;
    private final QueueClient queue;

    SdkQueueAccessIT(TrestleProcess server) {
        this.server = server;
        this.service = Sdk.queueService(server);
        this.queue = Sdk.newQueue(server);
    }

    private QueueClient with(String sas) {
        return Sdk.queue().endpoint(queue.getQueueUrl()).sasToken(sas).buildClient();
    }

    private QueueServiceClient serviceWith(String sas) {
        return Sdk.queueService().endpoint(server.queueEndpoint()).sasToken(sas).buildClient();
    }

    private static QueueServiceSasSignatureValues queueSas(String permissions) {
        return new QueueServiceSasSignatureValues(Sdk.inMinutes(10), QueueSasPermission.parse(permissions));
    }

    private static QueueSignedIdentifier policy(String id, String permissions, int minutes) {
        return new QueueSignedIdentifier()
                .setId(id)
                .setAccessPolicy(new QueueAccessPolicy()
                        .setStartsOn(Sdk.inMinutes(-10))
                        .setExpiresOn(Sdk.inMinutes(minutes))
                        .setPermissions(permissions));
    }

    @Test
    void a_wrong_key_is_refused() {
        QueueServiceClient wrong = Sdk.queueService()
                .endpoint(server.queueEndpoint())
                .credential(new AzureNamedKeyCredential(TrestleProcess.ACCOUNT, SharedServer.OTHER_KEY_1))
                .buildClient();
        Sdk.refused(403, "AuthenticationFailed", () -> wrong.createQueue(SharedServer.newQueueName()));
    }

    @Test
    void both_keys_of_an_account_are_valid_for_the_same_queues() {
        String name = SharedServer.newQueueName();
        Sdk.otherQueueService(server, SharedServer.OTHER_KEY_1)
                .createQueue(name)
                .sendMessage("text");
        QueueClient second =
                Sdk.otherQueueService(server, SharedServer.OTHER_KEY_2).getQueueClient(name);
        assertThat(second.peekMessage().getBody()).hasToString("text");
        QueueClient reader = Sdk.queue()
                .endpoint(second.getQueueUrl())
                .sasToken(second.generateSas(queueSas("r")))
                .buildClient();
        assertThat(reader.peekMessage().getBody()).hasToString("text");
    }

    @Test
    void accounts_do_not_see_each_others_queues() {
        QueueServiceClient other = Sdk.otherQueueService(server, SharedServer.OTHER_KEY_1);
        Sdk.refused(
                404,
                "QueueNotFound",
                () -> other.getQueueClient(queue.getQueueName()).peekMessage());
        QueueServiceClient foreignKey = Sdk.queueService()
                .endpoint(server.queueEndpoint())
                .credential(new AzureNamedKeyCredential(SharedServer.OTHER_ACCOUNT, SharedServer.OTHER_KEY_1))
                .buildClient();
        Sdk.refused(403, "AuthenticationFailed", () -> foreignKey.createQueue(SharedServer.newQueueName()));
    }

    @Test
    void a_queue_sas_allows_what_it_says() {
        SendMessageResult sent = queue.sendMessage("text");

        QueueClient reader = with(queue.generateSas(queueSas("r")));
        assertThat(reader.peekMessage().getBody()).hasToString("text");
        assertThat(reader.getProperties().getApproximateMessagesCountLong()).isEqualTo(1);
        Sdk.refused(403, PERMISSION, () -> reader.sendMessage("no"));
        Sdk.refused(403, PERMISSION, reader::receiveMessage);
        Sdk.refused(403, PERMISSION, () -> reader.deleteMessage(sent.getMessageId(), sent.getPopReceipt()));

        QueueClient adder = with(queue.generateSas(queueSas("a")));
        adder.sendMessage("more");
        Sdk.refused(403, PERMISSION, adder::peekMessage);
        Sdk.refused(403, PERMISSION, adder::getProperties);

        QueueClient updater = with(queue.generateSas(queueSas("u")));
        updater.updateMessage(sent.getMessageId(), sent.getPopReceipt(), "changed", Duration.ZERO);
        Sdk.refused(403, PERMISSION, updater::receiveMessage);

        QueueClient processor = with(queue.generateSas(queueSas("p")));
        QueueMessageItem taken = processor.receiveMessage();
        Sdk.refused(
                403,
                PERMISSION,
                () -> processor.updateMessage(taken.getMessageId(), taken.getPopReceipt(), "no", Duration.ZERO));
        processor.deleteMessage(taken.getMessageId(), taken.getPopReceipt());
        Sdk.refused(403, PERMISSION, processor::peekMessage);
    }

    @Test
    void a_queue_sas_is_for_messages_and_not_for_the_queue() {
        QueueClient all = with(queue.generateSas(queueSas("raup")));
        Sdk.refused(403, FAILURE, all::create);
        Sdk.refused(403, FAILURE, all::delete);
        Sdk.refused(403, FAILURE, all::clearMessages);
        Sdk.refused(403, FAILURE, () -> all.setMetadata(Map.of("a", "b")));
        Sdk.refused(403, FAILURE, () -> all.setAccessPolicy(List.of()));
        Sdk.refused(403, FAILURE, () -> all.getAccessPolicy().stream().count());
        // Without a queue in the address there is nothing that the signature could be for.
        String sas = queue.generateSas(queueSas("raup"));
        Sdk.refused(
                403,
                "AuthenticationFailed",
                () -> serviceWith(sas).listQueues().stream().count());
    }

    @Test
    void a_queue_sas_is_for_its_queue_only() {
        String sas = Sdk.newQueue(server).generateSas(queueSas("raup"));
        Sdk.refused(403, "AuthenticationFailed", () -> with(sas).sendMessage("no"));
    }

    @Test
    void a_signature_holds_for_its_time_its_protocol_and_its_addresses() {
        Sdk.refused(
                403,
                "AuthenticationFailed",
                () -> with(queue.generateSas(queueSas("r").setExpiryTime(Sdk.inMinutes(-1))))
                        .peekMessage());
        Sdk.refused(
                403,
                "AuthenticationFailed",
                () -> with(queue.generateSas(queueSas("r").setStartTime(Sdk.inMinutes(5))))
                        .peekMessage());
        Sdk.refused(
                403,
                "AuthorizationProtocolMismatch",
                () -> with(queue.generateSas(queueSas("r").setProtocol(SasProtocol.HTTPS_ONLY)))
                        .peekMessage());
        Sdk.refused(
                403,
                "AuthorizationSourceIPMismatch",
                () -> with(queue.generateSas(queueSas("r").setSasIpRange(SasIpRange.parse("10.1.2.3"))))
                        .peekMessage());
        assertThat(with(queue.generateSas(queueSas("r")
                                .setStartTime(Sdk.inMinutes(-5))
                                .setProtocol(SasProtocol.HTTPS_HTTP)
                                .setSasIpRange(SasIpRange.parse("127.0.0.1-127.0.0.9"))))
                        .peekMessage())
                .isNull();
    }

    @Test
    void stored_policies_are_returned_as_they_were_set() {
        assertThat(queue.getAccessPolicy()).isEmpty();
        QueueSignedIdentifier one = policy("one", "raup", 10);
        queue.setAccessPolicy(List.of(one, new QueueSignedIdentifier().setId("two")));
        List<QueueSignedIdentifier> stored = queue.getAccessPolicy().stream().toList();
        assertThat(stored).extracting(QueueSignedIdentifier::getId).containsExactly("one", "two");
        assertThat(stored.get(0).getAccessPolicy().getPermissions()).isEqualTo("raup");
        assertThat(stored.get(0).getAccessPolicy().getExpiresOn().toEpochSecond())
                .isEqualTo(one.getAccessPolicy().getExpiresOn().toEpochSecond());
        queue.setAccessPolicy(List.of());
        assertThat(queue.getAccessPolicy()).isEmpty();
    }

    @Test
    void policies_have_their_limits() {
        List<QueueSignedIdentifier> six =
                IntStream.range(0, 6).mapToObj(i -> policy("id" + i, "r", 10)).toList();
        queue.setAccessPolicy(six.subList(0, 5));
        Sdk.refused(400, "InvalidXmlDocument", () -> queue.setAccessPolicy(six));
        Sdk.refused(400, "InvalidXmlDocument", () -> queue.setAccessPolicy(List.of(policy("id", "d", 10))));
        assertThat(queue.getAccessPolicy()).hasSize(5);
    }

    @Test
    void a_signature_by_policy_ends_with_the_policy() {
        queue.sendMessage("text");
        queue.setAccessPolicy(List.of(policy("reading", "r", 10)));
        QueueClient reader = with(queue.generateSas(new QueueServiceSasSignatureValues("reading")));
        assertThat(reader.peekMessage().getBody()).hasToString("text");
        Sdk.refused(403, PERMISSION, () -> reader.sendMessage("no"));

        queue.setAccessPolicy(List.of(policy("reading", "a", 10)));
        reader.sendMessage("now it may");
        Sdk.refused(403, PERMISSION, reader::peekMessage);

        queue.setAccessPolicy(List.of(policy("reading", "r", -1)));
        Sdk.refused(403, "AuthenticationFailed", reader::peekMessage);
        queue.setAccessPolicy(List.of(policy("renamed", "r", 10)));
        Sdk.refused(403, "AuthenticationFailed", reader::peekMessage);
        queue.setAccessPolicy(List.of());
        Sdk.refused(403, "AuthenticationFailed", reader::peekMessage);
    }

    @Test
    void an_account_sas_opens_the_kinds_of_things_it_names() {
        queue.sendMessage("text");
        QueueServiceClient objects = serviceWith(service.generateAccountSas(Sdk.accountSas("raup", "q", "o")));
        QueueClient messages = objects.getQueueClient(queue.getQueueName());
        SendMessageResult sent = messages.sendMessage("more");
        messages.updateMessage(sent.getMessageId(), sent.getPopReceipt(), "more still", Duration.ZERO);
        QueueMessageItem taken = messages.receiveMessage();
        messages.deleteMessage(taken.getMessageId(), taken.getPopReceipt());
        assertThat(messages.peekMessage()).isNotNull();
        Sdk.refused(403, PERMISSION, messages::clearMessages);
        Sdk.refused(403, "AuthorizationResourceTypeMismatch", messages::getProperties);
        Sdk.refused(
                403,
                "AuthorizationResourceTypeMismatch",
                () -> objects.listQueues().stream().count());

        QueueServiceClient containers = serviceWith(service.generateAccountSas(Sdk.accountSas("rwdlc", "q", "c")));
        QueueClient created = containers.createQueue(SharedServer.newQueueName());
        created.setMetadata(Map.of("a", "b"));
        assertThat(created.getProperties().getMetadata()).containsOnlyKeys("a");
        Sdk.refused(403, "AuthorizationResourceTypeMismatch", () -> created.sendMessage("no"));
        Sdk.refused(403, FAILURE, () -> created.getAccessPolicy().stream().count());
        created.delete();

        QueueServiceClient whole = serviceWith(service.generateAccountSas(Sdk.accountSas("rl", "q", "s")));
        assertThat(whole.listQueues().stream().limit(1)).hasSize(1);
        assertThat(whole.getProperties()).isNotNull();
        Sdk.refused(403, PERMISSION, () -> whole.setProperties(new QueueServiceProperties()));
    }

    @Test
    void an_account_sas_is_for_the_services_it_names() {
        Sdk.refused(
                403,
                "AuthorizationServiceMismatch",
                () -> serviceWith(service.generateAccountSas(Sdk.accountSas("rl", "bt", "sco"))).listQueues().stream()
                        .count());
        String clearing = service.generateAccountSas(Sdk.accountSas("d", "tq", "o"));
        queue.sendMessage("text");
        serviceWith(clearing).getQueueClient(queue.getQueueName()).clearMessages();
        assertThat(queue.peekMessage()).isNull();
    }
}
