package dev.trestle.patterns;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the one server that all classes share; they keep out of each other's way by tables of their own. */
public final class WithTrestle implements ParameterResolver {
    private static final AtomicInteger TABLES = new AtomicInteger();

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TrestleProcess.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // The root's store lives as long as the run and closes what it holds.
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(WithTrestle.class))
                .computeIfAbsent(TrestleProcess.class, missing -> TrestleProcess.inMemory(), TrestleProcess.class);
    }

    /** A new, empty table. */
    public static TableClient newTable(TrestleProcess server) {
        TableClient client = new TableClientBuilder()
                .connectionString(server.connectionString())
                .tableName("table" + TABLES.incrementAndGet())
                .buildClient();
        client.createTable();
        return client;
    }

    /** The same table for callers that do not wait. */
    public static TableAsyncClient async(TrestleProcess server, TableClient table) {
        return new TableClientBuilder()
                .connectionString(server.connectionString())
                .tableName(table.getTableName())
                .buildAsyncClient();
    }
}
