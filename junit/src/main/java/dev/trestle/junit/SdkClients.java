package dev.trestle.junit;

import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueServiceClientBuilder;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Clients of the SDKs by the names of their classes. The SDKs need not be there: a class of one is first touched when a test asks
 * for a client of it.
 */
final class SdkClients {
    private static final Map<String, Function<String, Object>> MADE_BY = Map.of(
            "com.azure.data.tables.TableServiceClient",
                    text -> Tables.builder(text).buildClient(),
            "com.azure.data.tables.TableServiceAsyncClient",
                    text -> Tables.builder(text).buildAsyncClient(),
            "com.azure.storage.queue.QueueServiceClient",
                    text -> Queues.builder(text).buildClient(),
            "com.azure.storage.queue.QueueServiceAsyncClient",
                    text -> Queues.builder(text).buildAsyncClient(),
            "com.azure.storage.blob.BlobServiceClient",
                    text -> Blobs.builder(text).buildClient(),
            "com.azure.storage.blob.BlobServiceAsyncClient",
                    text -> Blobs.builder(text).buildAsyncClient());

    private SdkClients() {}

    static boolean knows(String type) {
        return MADE_BY.containsKey(type);
    }

    static Object of(String type, String connectionString) {
        return Objects.requireNonNull(MADE_BY.get(type)).apply(connectionString);
    }

    // Each SDK in a class of its own: whoever looks at the methods of one loads the classes that these are made of.

    private static final class Tables {
        static TableServiceClientBuilder builder(String connectionString) {
            return new TableServiceClientBuilder().connectionString(connectionString);
        }
    }

    private static final class Queues {
        static QueueServiceClientBuilder builder(String connectionString) {
            return new QueueServiceClientBuilder().connectionString(connectionString);
        }
    }

    private static final class Blobs {
        static BlobServiceClientBuilder builder(String connectionString) {
            return new BlobServiceClientBuilder().connectionString(connectionString);
        }
    }
}
