package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.TableServiceCorsRule;
import com.azure.data.tables.models.TableServiceGeoReplicationStatus;
import com.azure.data.tables.models.TableServiceLogging;
import com.azure.data.tables.models.TableServiceMetrics;
import com.azure.data.tables.models.TableServiceProperties;
import com.azure.data.tables.models.TableServiceRetentionPolicy;
import com.azure.data.tables.models.TableServiceStatistics;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
class SdkServicePropertiesIT {
    private final TrestleProcess server;
    private final TableServiceClient service;

    SdkServicePropertiesIT(TrestleProcess server) {
        this.server = server;
        this.service = Sdk.otherService(server, SharedServer.OTHER_KEY_1);
    }

    private static TableServiceCorsRule rule(String origins) {
        return new TableServiceCorsRule()
                .setAllowedOrigins(origins)
                .setAllowedMethods("GET,PUT")
                .setAllowedHeaders("x-ms-*")
                .setExposedHeaders("ETag")
                .setMaxAgeInSeconds(60);
    }

    private static TableServiceMetrics metrics() {
        return new TableServiceMetrics()
                .setVersion("1.0")
                .setEnabled(true)
                .setIncludeApis(true)
                .setRetentionPolicy(
                        new TableServiceRetentionPolicy().setEnabled(true).setDaysToRetain(3));
    }

    @Test
    void what_is_set_is_returned() {
        TableServiceProperties properties = new TableServiceProperties()
                .setLogging(new TableServiceLogging()
                        .setAnalyticsVersion("1.0")
                        .setReadLogged(true)
                        .setDeleteLogged(true)
                        .setRetentionPolicy(new TableServiceRetentionPolicy().setEnabled(false)))
                .setHourMetrics(metrics())
                .setMinuteMetrics(metrics())
                .setCorsRules(List.of(rule("https://one.example"), rule("*")));
        assertThat(service.setPropertiesWithResponse(properties, null, null).getStatusCode())
                .isEqualTo(202);

        TableServiceProperties stored = service.getProperties();
        assertThat(stored.getLogging().isReadLogged()).isTrue();
        assertThat(stored.getLogging().isWriteLogged()).isFalse();
        assertThat(stored.getLogging().isDeleteLogged()).isTrue();
        assertThat(stored.getHourMetrics().isEnabled()).isTrue();
        assertThat(stored.getHourMetrics().isIncludeApis()).isTrue();
        assertThat(stored.getMinuteMetrics().getTableServiceRetentionPolicy().getDaysToRetain())
                .isEqualTo(3);
        assertThat(stored.getCorsRules())
                .extracting(TableServiceCorsRule::getAllowedOrigins)
                .containsExactly("https://one.example", "*");
        assertThat(stored.getCorsRules().get(0).getAllowedMethods()).isEqualTo("GET,PUT");
        assertThat(stored.getCorsRules().get(0).getMaxAgeInSeconds()).isEqualTo(60);
    }

    @Test
    void a_section_that_is_not_sent_stays() {
        service.setProperties(new TableServiceProperties().setCorsRules(List.of(rule("https://stays.example"))));
        service.setProperties(new TableServiceProperties().setHourMetrics(metrics()));
        assertThat(service.getProperties().getCorsRules())
                .extracting(TableServiceCorsRule::getAllowedOrigins)
                .containsExactly("https://stays.example");
    }

    @Test
    void six_rules_are_too_many() {
        Sdk.refused(
                400,
                "InvalidXmlDocument",
                () -> service.setProperties(new TableServiceProperties()
                        .setCorsRules(Collections.nCopies(6, rule("https://many.example")))));
    }

    @Test
    void the_secondary_tells_how_far_replication_is() {
        TableServiceClient secondary = Sdk.service()
                .endpoint(server.endpoint(SharedServer.OTHER_ACCOUNT + "-secondary"))
                .credential(new AzureNamedKeyCredential(SharedServer.OTHER_ACCOUNT, SharedServer.OTHER_KEY_1))
                .buildClient();
        TableServiceStatistics statistics = secondary.getStatistics();
        assertThat(statistics.getGeoReplication().getStatus()).isEqualTo(TableServiceGeoReplicationStatus.LIVE);
        assertThat(Duration.between(
                                statistics.getGeoReplication().getLastSyncTime(), OffsetDateTime.now(ZoneOffset.UTC))
                        .abs())
                .isLessThan(Duration.ofMinutes(1));
        Sdk.refused(400, "InvalidQueryParameterValue", service::getStatistics);
    }
}
