package dev.trestle.patterns;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A JUnit extension that injects the server shared by all test classes, which isolate themselves by separate tables. */
public final class WithTrestle implements ParameterResolver {
    private static final AtomicInteger TABLES = new AtomicInteger();

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TrestleProcess.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // The root store lives as long as the test run and closes its values.
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(WithTrestle.class))
                .computeIfAbsent(TrestleProcess.class, missing -> TrestleProcess.inMemory(), TrestleProcess.class);
    }

    /** Creates an empty table. */
    public static TableClient newTable(TrestleProcess server) {
        TableClient client = new TableClientBuilder()
                .connectionString(server.connectionString())
                .tableName("table" + TABLES.incrementAndGet())
                .buildClient();
        client.createTable();
        return client;
    }

    /** Returns a non-blocking client of a table. */
    public static TableAsyncClient async(TrestleProcess server, TableClient table) {
        return new TableClientBuilder()
                .connectionString(server.connectionString())
                .tableName(table.getTableName())
                .buildAsyncClient();
    }
}
