package dev.trestle.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableServiceAsyncClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.queue.QueueServiceAsyncClient;
import com.azure.storage.queue.QueueServiceClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every type of parameter that tests may have. */
@TrestleTest
class InjectedClientsTest {
    @Test
    void clients_of_tables(TableServiceClient tables, TableServiceAsyncClient async) {
        tables.createTable("orders");
        assertThat(async.listTables().blockFirst())
                .satisfies(table -> assertThat(table.getName()).isEqualTo("orders"));
    }

    @Test
    void clients_of_queues(QueueServiceClient queues, QueueServiceAsyncClient async) {
        queues.createQueue("orders").sendMessage("first");
        assertThat(async.getQueueAsyncClient("orders").receiveMessage().block())
                .satisfies(message -> assertThat(message.getBody()).hasToString("first"));
    }

    @Test
    void clients_of_blobs(BlobServiceClient blobs, BlobServiceAsyncClient async) {
        blobs.createBlobContainer("orders").getBlobClient("first").upload(BinaryData.fromString("one"));
        assertThat(async.getBlobContainerAsyncClient("orders")
                        .getBlobAsyncClient("first")
                        .downloadContent()
                        .block())
                .hasToString("one");
    }

    @Test
    void the_connection_string_by_itself(Trestle server, @ConnectionString String text) {
        assertThat(text).isEqualTo(server.connectionString()).contains("BlobEndpoint=");
    }

    @ParameterizedTest
    @ValueSource(strings = "of another source")
    void texts_of_other_sources_are_left_alone(String text, Trestle server) {
        assertThat(text).isEqualTo("of another source").isNotEqualTo(server.connectionString());
    }
}
