package dev.trestle.patterns.examples;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import dev.trestle.patterns.examples.Meter.Measured;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A service to play a scenario on, with what it cost. Tables, queues and containers are new, have names that no one else uses
 * and are deleted on closing.
 */
public final class ExampleContext implements AutoCloseable {
    private final String connectionString;
    private final HttpPipelinePolicy[] policies;
    private final Meter meter = new Meter();
    private final String prefix =
            "ex" + UUID.randomUUID().toString().substring(0, 8).toLowerCase(Locale.ROOT);
    private final Deque<Runnable> cleaning = new ArrayDeque<>();

    /** The service of a connection string; what has to be done with each request besides goes through the policies. */
    public ExampleContext(String connectionString, HttpPipelinePolicy... policies) {
        this.connectionString = connectionString;
        this.policies = policies.clone();
    }

    /** The service of tables, for patterns that make their own; those whose names begin with the prefix are deleted. */
    public TableServiceClient tables() {
        TableServiceClientBuilder builder = new TableServiceClientBuilder()
                .connectionString(connectionString)
                .addPolicy(meter);
        for (HttpPipelinePolicy policy : policies) {
            builder.addPolicy(policy);
        }
        return builder.buildClient();
    }

    /** A name that no one else uses, for a table, a queue or a container. */
    public String named(String name) {
        return prefix + name;
    }

    /** A new table. */
    public TableClient table(String name) {
        TableClient client = tables().getTableClient(named(name));
        client.createTable();
        cleaning.push(client::deleteTable);
        return client;
    }

    /** A new queue. */
    public QueueClient queue(String name) {
        QueueServiceClientBuilder builder = new QueueServiceClientBuilder()
                .connectionString(connectionString)
                .addPolicy(meter);
        for (HttpPipelinePolicy policy : policies) {
            builder.addPolicy(policy);
        }
        QueueClient client = builder.buildClient().getQueueClient(named(name));
        client.create();
        cleaning.push(client::delete);
        return client;
    }

    /** A new container of blobs. */
    public BlobContainerClient container(String name) {
        BlobServiceClientBuilder builder = new BlobServiceClientBuilder()
                .connectionString(connectionString)
                .addPolicy(meter);
        for (HttpPipelinePolicy policy : policies) {
            builder.addPolicy(policy);
        }
        BlobContainerClient client = builder.buildClient().getBlobContainerClient(named(name));
        client.create();
        cleaning.push(client::delete);
        return client;
    }

    /** Does something else on closing, before what was made earlier is deleted. */
    public void onClose(Runnable work) {
        cleaning.push(work);
    }

    <T> Measured<T> measure(Supplier<T> work) {
        return meter.measure(work);
    }

    Measured<Void> measure(Runnable work) {
        return meter.measure(() -> {
            work.run();
            return null;
        });
    }

    @Override
    public void close() {
        while (!cleaning.isEmpty()) {
            cleaning.pop().run();
        }
    }
}
