package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.models.QueueMessageItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Runs the Java examples of README.md and docs/clients.md, on other ports than theirs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadmeIT {
    private static final List<Path> PAGES = List.of(Path.of("../README.md"), Path.of("../docs/clients.md"));
    private static final Path THIS = Path.of("src/test/java/dev/trestle/conformance/ReadmeIT.java");

    private final TrestleProcess server = TrestleProcess.inMemory();
    private String connection = "";

    @BeforeAll
    void connect() {
        connection = server.connectionString() + "QueueEndpoint=" + server.queueEndpoint() + ";BlobEndpoint="
                + server.blobEndpoint() + ";";
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void tables() {
        TableServiceClient service =
                new TableServiceClientBuilder().connectionString(connection).buildClient();
        TableClient orders = service.createTableIfNotExists("orders");
        if (orders == null) {
            orders = service.getTableClient("orders"); // it was there already
        }
        orders.upsertEntity(new TableEntity("eu", "42").addProperty("Qty", 3));
        orders.listEntities(new ListEntitiesOptions().setFilter("PartitionKey eq 'eu' and Qty gt 1"), null, null)
                .forEach(entity -> System.out.println(entity.getRowKey()));

        assertThat(orders.getEntity("eu", "42").getProperty("Qty")).isEqualTo(3);
    }

    @Test
    void queues() {
        QueueClient jobs = new QueueClientBuilder()
                .connectionString(connection)
                .queueName("jobs")
                .buildClient();
        jobs.createIfNotExists();
        jobs.sendMessage("archive 0099");
        for (QueueMessageItem message : jobs.receiveMessages(32)) {
            System.out.println(message.getBody() + " " + message.getDequeueCount());
            jobs.deleteMessage(message.getMessageId(), message.getPopReceipt());
        }

        assertThat(jobs.getProperties().getApproximateMessagesCountLong()).isZero();
    }

    @Test
    void blobs() {
        BlobContainerClient photos = new BlobContainerClientBuilder()
                .connectionString(connection)
                .containerName("photos")
                .buildClient();
        photos.createIfNotExists();
        BlobClient photo = photos.getBlobClient("emp/0099.jpg");
        photo.upload(BinaryData.fromString("not really a photo"), true);
        System.out.println(photo.downloadContent().toString());
        photos.listBlobsByHierarchy("").forEach(item -> System.out.println(item.getName()));

        assertThat(photos.listBlobsByHierarchy(""))
                .singleElement()
                .matches(item -> item.isPrefix() && item.getName().equals("emp/"));
    }

    @Test
    void the_page_shows_only_what_is_run_here() throws IOException {
        String source = compact(Files.readString(THIS));
        int count = 0;
        for (Path page : PAGES) {
            Matcher blocks =
                    Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(page));
            while (blocks.find()) {
                assertThat(source)
                        .contains(compact(blocks.group(1)).replace("\"UseDevelopmentStorage=true\"", "connection"));
                count++;
            }
        }
        assertThat(count).isEqualTo(3);
    }

    /** Removes white space, in which page and source may differ. */
    private static String compact(String text) {
        return text.replaceAll("\\s+", "");
    }
}
