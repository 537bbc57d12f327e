package dev.trestle.examples;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import dev.trestle.examples.Meter.Measured;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The storage service that an example runs against. Creates uniquely named tables, queues and containers, deletes them on close,
 * and measures the cost of the requests.
 */
final class ExampleContext implements AutoCloseable {
    private final String connectionString;
    private final Meter meter = new Meter();
    private final String prefix =
            "ex" + UUID.randomUUID().toString().substring(0, 8).toLowerCase(Locale.ROOT);
    private final Deque<Runnable> cleanups = new ArrayDeque<>();

    ExampleContext(String connectionString) {
        this.connectionString = connectionString;
    }

    /** Returns a client for patterns that create their own tables; such an example deletes them with {@link #onClose}. */
    TableServiceClient tables() {
        return new TableServiceClientBuilder()
                .connectionString(connectionString)
                .addPolicy(meter)
                .buildClient();
    }

    /** Returns a unique name for a table, a queue or a container. */
    String named(String name) {
        return prefix + name;
    }

    /** Creates a table. */
    TableClient table(String name) {
        TableClient client = tables().getTableClient(named(name));
        client.createTable();
        cleanups.push(client::deleteTable);
        return client;
    }

    /** Creates a queue. */
    QueueClient queue(String name) {
        QueueClient client = new QueueServiceClientBuilder()
                .connectionString(connectionString)
                .addPolicy(meter)
                .buildClient()
                .getQueueClient(named(name));
        client.create();
        cleanups.push(client::delete);
        return client;
    }

    /** Creates a blob container. */
    BlobContainerClient container(String name) {
        BlobContainerClient client = new BlobServiceClientBuilder()
                .connectionString(connectionString)
                .addPolicy(meter)
                .buildClient()
                .getBlobContainerClient(named(name));
        client.create();
        cleanups.push(client::delete);
        return client;
    }

    /** Registers a cleanup to run on close; cleanups run in reverse order of registration. */
    void onClose(Runnable cleanup) {
        cleanups.push(cleanup);
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
        while (!cleanups.isEmpty()) {
            cleanups.pop().run();
        }
    }
}
