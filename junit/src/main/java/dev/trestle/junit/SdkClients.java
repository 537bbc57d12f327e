package dev.trestle.junit;

import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.queue.QueueServiceClientBuilder;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Creates clients of the Azure SDKs by class name. The SDKs are optional: a class of one is loaded only when a test asks for its
 * client.
 */
final class SdkClients {
    private static final Map<String, Function<String, Object>> FACTORIES = Map.of(
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
        return FACTORIES.containsKey(type);
    }

    static Object of(String type, String connectionString) {
        return Objects.requireNonNull(FACTORIES.get(type)).apply(connectionString);
    }

    // One class per SDK, because reflection on the methods of a class loads the types in their signatures.

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
