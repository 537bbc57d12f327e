package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.exception.HttpResponseException;
import com.azure.data.tables.models.TableServiceCorsRule;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.models.QueueAnalyticsLogging;
import com.azure.storage.queue.models.QueueCorsRule;
import com.azure.storage.queue.models.QueueMetrics;
import com.azure.storage.queue.models.QueueRetentionPolicy;
import com.azure.storage.queue.models.QueueServiceProperties;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Operations on the whole Queue service of an account. */
@ExtendWith(SharedServer.class)
class SdkQueueServiceIT {
    private final TrestleProcess server;
    private final QueueServiceClient service;

    SdkQueueServiceIT(TrestleProcess server) {
        this.server = server;
        this.service = Sdk.otherQueueService(server, SharedServer.OTHER_KEY_1);
    }

    private QueueServiceClient secondary() {
        return Sdk.queueService()
                .endpoint(server.queueEndpoint(SharedServer.OTHER_ACCOUNT + "-secondary"))
                .credential(new AzureNamedKeyCredential(SharedServer.OTHER_ACCOUNT, SharedServer.OTHER_KEY_1))
                .buildClient();
    }

    private static QueueCorsRule rule(String origins) {
        return new QueueCorsRule()
                .setAllowedOrigins(origins)
                .setAllowedMethods("GET,PUT")
                .setAllowedHeaders("x-ms-*")
                .setExposedHeaders("x-ms-meta-*")
                .setMaxAgeInSeconds(60);
    }

    private static QueueMetrics metrics() {
        return new QueueMetrics()
                .setVersion("1.0")
                .setEnabled(true)
                .setIncludeApis(true)
                .setRetentionPolicy(new QueueRetentionPolicy().setEnabled(true).setDays(3));
    }

    @Test
    void what_is_set_is_returned() {
        QueueServiceProperties properties = new QueueServiceProperties()
                .setAnalyticsLogging(new QueueAnalyticsLogging()
                        .setVersion("1.0")
                        .setRead(true)
                        .setDelete(true)
                        .setRetentionPolicy(new QueueRetentionPolicy().setEnabled(false)))
                .setHourMetrics(metrics())
                .setMinuteMetrics(metrics())
                .setCors(List.of(rule("https://one.example"), rule("*")));
        assertThat(service.setPropertiesWithResponse(properties, null, null).getStatusCode())
                .isEqualTo(202);

        QueueServiceProperties stored = service.getProperties();
        assertThat(stored.getAnalyticsLogging().isRead()).isTrue();
        assertThat(stored.getAnalyticsLogging().isWrite()).isFalse();
        assertThat(stored.getAnalyticsLogging().isDelete()).isTrue();
        assertThat(stored.getHourMetrics().isIncludeApis()).isTrue();
        assertThat(stored.getMinuteMetrics().getRetentionPolicy().getDays()).isEqualTo(3);
        assertThat(stored.getCors())
                .extracting(QueueCorsRule::getAllowedOrigins)
                .containsExactly("https://one.example", "*");
        assertThat(stored.getCors().get(0).getAllowedMethods()).isEqualTo("GET,PUT");
        assertThat(stored.getCors().get(0).getMaxAgeInSeconds()).isEqualTo(60);
    }

    @Test
    void queues_and_tables_have_properties_of_their_own() {
        service.setProperties(new QueueServiceProperties().setCors(List.of(rule("https://queues.example"))));
        List<TableServiceCorsRule> ofTables = Sdk.otherService(server, SharedServer.OTHER_KEY_1)
                .getProperties()
                .getCorsRules();
        assertThat(ofTables == null ? List.<TableServiceCorsRule>of() : ofTables)
                .noneMatch(rule -> rule.getAllowedOrigins().equals("https://queues.example"));
    }

    @Test
    void six_rules_are_too_many() {
        Sdk.refused(
                400,
                "InvalidXmlDocument",
                () -> service.setProperties(
                        new QueueServiceProperties().setCors(Collections.nCopies(6, rule("https://many.example")))));
    }

    @Test
    void a_page_of_an_allowed_origin_is_let_in_and_no_other() throws IOException {
        service.setProperties(new QueueServiceProperties().setCors(List.of(rule("https://page.example"))));
        RawResponse allowed = preflight("https://page.example");
        assertThat(allowed.status()).isEqualTo(200);
        assertThat(allowed.header("Access-Control-Allow-Origin")).contains("https://page.example");
        assertThat(allowed.header("Access-Control-Allow-Methods")).contains("PUT");
        assertThat(allowed.header("Access-Control-Allow-Headers")).contains("x-ms-date");
        assertThat(allowed.header("Access-Control-Max-Age")).contains("60");
        RawResponse refused = preflight("https://stranger.example");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.header("x-ms-error-code")).contains("CorsPreflightFailure");
        assertThat(refused.body()).contains("<Error><Code>CorsPreflightFailure</Code>");
    }

    private RawResponse preflight(String origin) throws IOException {
        return Preflight.from(origin, server.queuePort(), "/any/messages", "x-ms-date");
    }

    @Test
    void statistics_are_on_the_secondary_only() {
        Sdk.refused(400, "InvalidQueryParameterValue", service::getStatistics);
        // This version of the SDK looks for another root element than the service writes; the transcripts show it.
        HttpResponseException failure = catchThrowableOfType(
                HttpResponseException.class, () -> secondary().getStatistics());
        assertThat(failure.getResponse().getStatusCode()).isEqualTo(200);
    }

    @Test
    void the_secondary_shows_messages_and_gives_none_away() {
        QueueClient queue = service.createQueue(SharedServer.newQueueName());
        queue.sendMessage("text");
        QueueClient read = secondary().getQueueClient(queue.getQueueName());
        assertThat(read.peekMessage().getBody()).hasToString("text");
        assertThat(read.getProperties().getApproximateMessagesCountLong()).isEqualTo(1);
        Sdk.refused(403, "InsufficientAccountPermissions", read::receiveMessage);
        Sdk.refused(403, "InsufficientAccountPermissions", () -> read.sendMessage("more"));
        Sdk.refused(403, "InsufficientAccountPermissions", read::clearMessages);
        Sdk.refused(403, "InsufficientAccountPermissions", read::delete);
    }
}
