package dev.trestle.patterns;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** Creates uniquely named tables, queues and containers for a test and deletes them on close. */
public final class TemporaryResources implements AutoCloseable {
    private final String connectionString;
    private final List<HttpPipelinePolicy> policies;
    private final String prefix =
            "test" + UUID.randomUUID().toString().substring(0, 8).toLowerCase(Locale.ROOT);
    private final Deque<Runnable> cleanups = new ArrayDeque<>();

    /** Uses the service of the connection string, with the policies in the pipeline of every client. */
    public TemporaryResources(String connectionString, HttpPipelinePolicy... policies) {
        this.connectionString = connectionString;
        this.policies = List.of(policies);
    }

    /** Returns a client for patterns that create their own tables; the test deletes those with {@link #onClose}. */
    public TableServiceClient tables() {
        TableServiceClientBuilder builder = new TableServiceClientBuilder().connectionString(connectionString);
        policies.forEach(builder::addPolicy);
        return builder.buildClient();
    }

    /** Returns a unique name for a table, a queue or a container. */
    public String named(String name) {
        return prefix + name;
    }

    /** Creates a table. */
    public TableClient table(String name) {
        TableClient client = tables().getTableClient(named(name));
        client.createTable();
        cleanups.push(client::deleteTable);
        return client;
    }

    /** Creates a queue. */
    public QueueClient queue(String name) {
        QueueServiceClientBuilder builder = new QueueServiceClientBuilder().connectionString(connectionString);
        policies.forEach(builder::addPolicy);
        QueueClient client = builder.buildClient().getQueueClient(named(name));
        client.create();
        cleanups.push(client::delete);
        return client;
    }

    /** Creates a blob container. */
    public BlobContainerClient container(String name) {
        BlobServiceClientBuilder builder = new BlobServiceClientBuilder().connectionString(connectionString);
        policies.forEach(builder::addPolicy);
        BlobContainerClient client = builder.buildClient().getBlobContainerClient(named(name));
        client.create();
        cleanups.push(client::delete);
        return client;
    }

    /** Registers a cleanup to run on close; cleanups run in reverse order of registration. */
    public void onClose(Runnable cleanup) {
        cleanups.push(cleanup);
    }

    @Override
    public void close() {
        while (!cleanups.isEmpty()) {
            cleanups.pop().run();
        }
    }
}
