package dev.trestle.patterns;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import dev.trestle.launcher.ServerJar;
import dev.trestle.launcher.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A JUnit extension that injects the server shared by all test classes, which isolate themselves by separate tables. */
public final class WithTrestle implements ParameterResolver {
    private static final AtomicInteger TABLES = new AtomicInteger();

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ServerProcess.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // The root store lives as long as the test run and closes its values.
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(WithTrestle.class))
                .computeIfAbsent(ServerProcess.class, missing -> start("--in-memory"), ServerProcess.class);
    }

    /** Starts a server with these options on free ports; returns when it is ready. */
    public static ServerProcess start(String... options) {
        List<String> arguments = new ArrayList<>(List.of("serve", "--table-port", "0"));
        arguments.addAll(List.of(options));
        return ServerProcess.command(ServerJar.command(
                        Path.of(System.getProperty("trestle.jar", "../cli/target/trestle.jar")),
                        List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                        arguments))
                .start();
    }

    /** Creates an empty table. */
    public static TableClient newTable(ServerProcess server) {
        TableClient client = new TableClientBuilder()
                .connectionString(server.connectionString())
                .tableName("table" + TABLES.incrementAndGet())
                .buildClient();
        client.createTable();
        return client;
    }

    /** Returns a non-blocking client of a table. */
    public static TableAsyncClient async(ServerProcess server, TableClient table) {
        return new TableClientBuilder()
                .connectionString(server.connectionString())
                .tableName(table.getTableName())
                .buildAsyncClient();
    }
}
