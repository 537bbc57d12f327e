package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.models.AccountKind;
import com.azure.storage.blob.models.BlobAnalyticsLogging;
import com.azure.storage.blob.models.BlobCorsRule;
import com.azure.storage.blob.models.BlobMetrics;
import com.azure.storage.blob.models.BlobRetentionPolicy;
import com.azure.storage.blob.models.BlobServiceProperties;
import com.azure.storage.blob.models.GeoReplicationStatus;
import com.azure.storage.blob.models.SkuName;
import com.azure.storage.blob.models.StaticWebsite;
import com.azure.storage.blob.models.StorageAccountInfo;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.queue.models.QueueCorsRule;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Operations on the whole Blob service of an account. */
@ExtendWith(SharedServer.class)
class SdkBlobServiceIT {
    private final TrestleProcess server;
    private final BlobServiceClient service;

    SdkBlobServiceIT(TrestleProcess server) {
        this.server = server;
        this.service = Sdk.otherBlobService(server, SharedServer.OTHER_KEY_1);
    }

    private BlobServiceClient secondary() {
        return Sdk.blobService()
                .endpoint(server.blobEndpoint(SharedServer.OTHER_ACCOUNT + "-secondary"))
                .credential(new StorageSharedKeyCredential(SharedServer.OTHER_ACCOUNT, SharedServer.OTHER_KEY_1))
                .buildClient();
    }

    private static BlobCorsRule rule(String origins) {
        return new BlobCorsRule()
                .setAllowedOrigins(origins)
                .setAllowedMethods("GET,PUT")
                .setAllowedHeaders("x-ms-*")
                .setExposedHeaders("x-ms-meta-*")
                .setMaxAgeInSeconds(60);
    }

    private static BlobMetrics metrics() {
        return new BlobMetrics()
                .setVersion("1.0")
                .setEnabled(true)
                .setIncludeApis(true)
                .setRetentionPolicy(new BlobRetentionPolicy().setEnabled(true).setDays(3));
    }

    @Test
    void what_is_set_is_returned() {
        BlobServiceProperties properties = new BlobServiceProperties()
                .setLogging(new BlobAnalyticsLogging()
                        .setVersion("1.0")
                        .setRead(true)
                        .setDelete(true)
                        .setRetentionPolicy(new BlobRetentionPolicy().setEnabled(false)))
                .setHourMetrics(metrics())
                .setMinuteMetrics(metrics())
                .setDeleteRetentionPolicy(new BlobRetentionPolicy().setEnabled(false))
                .setStaticWebsite(new StaticWebsite().setEnabled(false))
                .setCors(List.of(rule("https://one.example"), rule("*")));
        assertThat(service.setPropertiesWithResponse(properties, null, null).getStatusCode())
                .isEqualTo(202);
        BlobServiceProperties stored = service.getProperties();
        assertThat(stored.getLogging().isRead()).isTrue();
        assertThat(stored.getLogging().isWrite()).isFalse();
        assertThat(stored.getHourMetrics().isIncludeApis()).isTrue();
        assertThat(stored.getMinuteMetrics().getRetentionPolicy().getDays()).isEqualTo(3);
        assertThat(stored.getCors())
                .extracting(BlobCorsRule::getAllowedOrigins)
                .containsExactly("https://one.example", "*");
        assertThat(Sdk.otherQueueService(server, SharedServer.OTHER_KEY_1)
                        .getProperties()
                        .getCors())
                .extracting(QueueCorsRule::getAllowedOrigins)
                .doesNotContain("https://one.example");
    }

    @Test
    void what_is_not_done_cannot_be_switched_on() {
        Sdk.refused(
                501,
                "NotImplemented",
                () -> service.setProperties(new BlobServiceProperties()
                        .setDeleteRetentionPolicy(
                                new BlobRetentionPolicy().setEnabled(true).setDays(7))));
        Sdk.refused(
                501,
                "NotImplemented",
                () -> service.setProperties(
                        new BlobServiceProperties().setStaticWebsite(new StaticWebsite().setEnabled(true))));
    }

    @Test
    void six_rules_are_too_many() {
        Sdk.refused(
                400,
                "InvalidXmlDocument",
                () -> service.setProperties(
                        new BlobServiceProperties().setCors(Collections.nCopies(6, rule("https://many.example")))));
    }

    @Test
    void a_page_of_an_allowed_origin_is_let_in_and_no_other() throws IOException {
        service.setProperties(new BlobServiceProperties().setCors(List.of(rule("https://page.example"))));
        RawResponse allowed = preflight("https://page.example");
        assertThat(allowed.status()).isEqualTo(200);
        assertThat(allowed.header("Access-Control-Allow-Origin")).contains("https://page.example");
        assertThat(allowed.header("Access-Control-Allow-Methods")).contains("PUT");
        assertThat(allowed.header("Access-Control-Max-Age")).contains("60");
        RawResponse refused = preflight("https://stranger.example");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.header("x-ms-error-code")).contains("CorsPreflightFailure");
    }

    private RawResponse preflight(String origin) throws IOException {
        return Preflight.from(origin, server.blobPort(), "/any/blob", "x-ms-blob-type");
    }

    @Test
    void the_account_tells_what_it_is() {
        StorageAccountInfo account = service.getAccountInfo();
        assertThat(account.getSkuName()).isEqualTo(SkuName.STANDARD_LRS);
        assertThat(account.getAccountKind()).isEqualTo(AccountKind.STORAGE_V2);
        assertThat(account.isHierarchicalNamespaceEnabled()).isFalse();
    }

    @Test
    void statistics_are_on_the_secondary_only() {
        Sdk.refused(400, "InvalidQueryParameterValue", service::getStatistics);
        assertThat(secondary().getStatistics().getGeoReplication().getStatus()).isEqualTo(GeoReplicationStatus.LIVE);
    }

    @Test
    void the_secondary_shows_blobs_and_changes_none() {
        BlobClient blob =
                service.createBlobContainer(SharedServer.newContainerName()).getBlobClient("blob");
        blob.upload(BinaryData.fromString("text"));
        BlobClient read =
                secondary().getBlobContainerClient(blob.getContainerName()).getBlobClient("blob");
        assertThat(read.downloadContent()).hasToString("text");
        Sdk.refused(403, "InsufficientAccountPermissions", () -> read.upload(BinaryData.fromString("no"), true));
        Sdk.refused(403, "InsufficientAccountPermissions", read::delete);
    }
}
