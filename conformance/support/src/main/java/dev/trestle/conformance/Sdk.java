package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableServiceException;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.specialized.BlobClientBase;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.sas.AccountSasPermission;
import com.azure.storage.common.sas.AccountSasResourceType;
import com.azure.storage.common.sas.AccountSasService;
import com.azure.storage.common.sas.AccountSasSignatureValues;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Clients of the official SDK, and assertions about their failures. */
final class Sdk {
    private static final HttpHeaderName ERROR_CODE = HttpHeaderName.fromString("x-ms-error-code");

    private Sdk() {}

    /** A client without retries, which could hide a failure of the first attempt. */
    static TableServiceClientBuilder service() {
        return new TableServiceClientBuilder().retryOptions(noRetries());
    }

    static TableClientBuilder table() {
        return new TableClientBuilder().retryOptions(noRetries());
    }

    /** The same of the Queue service. */
    static QueueServiceClientBuilder queueService() {
        return new QueueServiceClientBuilder().retryOptions(noRetries());
    }

    static QueueClientBuilder queue() {
        return new QueueClientBuilder().retryOptions(noRetries());
    }

    /** The same of the Blob service. */
    static BlobServiceClientBuilder blobService() {
        return new BlobServiceClientBuilder().retryOptions(noRetries());
    }

    static BlobContainerClientBuilder container() {
        return new BlobContainerClientBuilder().retryOptions(noRetries());
    }

    static RetryOptions noRetries() {
        return new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1)));
    }

    static TableServiceClient service(TrestleProcess server) {
        return service().connectionString(server.connectionString()).buildClient();
    }

    /** A client with a key of the account that has two. */
    static TableServiceClient otherService(TrestleProcess server, String key) {
        return service()
                .endpoint(server.endpoint(SharedServer.OTHER_ACCOUNT))
                .credential(new AzureNamedKeyCredential(SharedServer.OTHER_ACCOUNT, key))
                .buildClient();
    }

    static QueueServiceClient queueService(TrestleProcess server) {
        return queueService()
                .endpoint(server.queueEndpoint())
                .credential(new AzureNamedKeyCredential(TrestleProcess.ACCOUNT, TrestleProcess.KEY))
                .buildClient();
    }

    /** A client of queues with a key of the account that has two. */
    static QueueServiceClient otherQueueService(TrestleProcess server, String key) {
        return queueService()
                .endpoint(server.queueEndpoint(SharedServer.OTHER_ACCOUNT))
                .credential(new AzureNamedKeyCredential(SharedServer.OTHER_ACCOUNT, key))
                .buildClient();
    }

    static BlobServiceClient blobService(TrestleProcess server) {
        return blobService()
                .endpoint(server.blobEndpoint())
                .credential(new StorageSharedKeyCredential(TrestleProcess.ACCOUNT, TrestleProcess.KEY))
                .buildClient();
    }

    /** A client of blobs with a key of the account that has two. */
    static BlobServiceClient otherBlobService(TrestleProcess server, String key) {
        return blobService()
                .endpoint(server.blobEndpoint(SharedServer.OTHER_ACCOUNT))
                .credential(new StorageSharedKeyCredential(SharedServer.OTHER_ACCOUNT, key))
                .buildClient();
    }

    static BlobContainerClient newContainer(TrestleProcess server) {
        return blobService(server).createBlobContainer(SharedServer.newContainerName());
    }

    /** All of a blob. */
    static byte[] bytes(BlobClientBase blob) {
        return blob.downloadContent().toBytes();
    }

    static QueueClient newQueue(TrestleProcess server) {
        return queueService(server).createQueue(SharedServer.newQueueName());
    }

    static TableClient newTable(TrestleProcess server) {
        return service(server).createTable(SharedServer.newTableName());
    }

    static List<TableEntity> find(TableClient table, String filter) {
        return table.listEntities(new ListEntitiesOptions().setFilter(filter), null, null).stream()
                .toList();
    }

    static List<String> rowKeys(TableClient table, String filter) {
        return find(table, filter).stream().map(TableEntity::getRowKey).toList();
    }

    static OffsetDateTime inMinutes(int minutes) {
        return OffsetDateTime.now(ZoneOffset.UTC).plusMinutes(minutes);
    }

    /** The values of an account SAS for queues and blobs, valid for ten minutes. */
    static AccountSasSignatureValues accountSas(String permissions, String services, String resourceTypes) {
        return new AccountSasSignatureValues(
                inMinutes(10),
                AccountSasPermission.parse(permissions),
                AccountSasService.parse(services),
                AccountSasResourceType.parse(resourceTypes));
    }

    /** Asserts that the service refuses with this status and code. */
    static void refused(int status, String code, ThrowingCallable call) {
        assertThat(refusal(call)).isEqualTo(status + " " + code);
    }

    private static String refusal(ThrowingCallable call) {
        try {
            call.call();
        } catch (TableServiceException e) {
            return e.getResponse().getStatusCode() + " " + e.getValue().getErrorCode();
        } catch (HttpResponseException e) {
            // Lists and XML documents fail with types of the SDK's own that have no public code.
            return e.getResponse().getStatusCode() + " " + e.getResponse().getHeaderValue(ERROR_CODE);
        } catch (Throwable e) {
            throw new AssertionError("not refused by the service but failed", e);
        }
        return "not refused";
    }
}
