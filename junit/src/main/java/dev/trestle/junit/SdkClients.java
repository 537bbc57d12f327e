package dev.trestle.junit;

import com.azure.data.tables.TableServiceClientBuilder;
import java.util.Set;

/** Clients of the SDK. It need not be there: its classes are first touched when a test asks for a client. */
final class SdkClients {
    private static final String TABLES = "com.azure.data.tables.TableServiceClient";
    private static final String TABLES_ASYNC = "com.azure.data.tables.TableServiceAsyncClient";

    private SdkClients() {}

    static boolean knows(String type) {
        return Set.of(TABLES, TABLES_ASYNC).contains(type);
    }

    static Object of(String type, String connectionString) {
        TableServiceClientBuilder builder = new TableServiceClientBuilder().connectionString(connectionString);
        return type.equals(TABLES) ? builder.buildClient() : builder.buildAsyncClient();
    }
}
