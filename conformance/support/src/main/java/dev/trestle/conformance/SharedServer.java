package dev.trestle.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Injects the server that all test classes share: in memory, or on a cluster if the system property {@code
 * trestle.engine} is hbase. Tests isolate themselves by unique names of tables, queues and containers. Settings of
 * a whole account are tested on {@link #OTHER_ACCOUNT}.
 */
final class SharedServer implements ParameterResolver {
    /** An account with two keys, for tests that change settings of a whole account. */
    static final String OTHER_ACCOUNT = "otheraccount";

    static final String OTHER_KEY_1 = "Zmlyc3Qta2V5LW9mLXRoZS1vdGhlci1hY2NvdW50LWZvci10ZXN0cw==";
    static final String OTHER_KEY_2 = "c2Vjb25kLWtleS1vZi10aGUtb3RoZXItYWNjb3VudC1mb3ItdGVzdHM=";

    private static final AtomicInteger TABLES = new AtomicInteger();
    private static final AtomicInteger QUEUES = new AtomicInteger();
    private static final AtomicInteger CONTAINERS = new AtomicInteger();

    /** Returns a name that no other test uses. */
    static String newTableName() {
        return "table" + TABLES.incrementAndGet();
    }

    /** Returns a queue name that no other test uses. */
    static String newQueueName() {
        return "queue-" + QUEUES.incrementAndGet();
    }

    /** Returns a container name that no other test uses. */
    static String newContainerName() {
        return "container-" + CONTAINERS.incrementAndGet();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TrestleProcess.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // The root store lives as long as the test run and closes its values.
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(SharedServer.class))
                .computeIfAbsent(TrestleProcess.class, missing -> startServer(), TrestleProcess.class);
    }

    private static TrestleProcess startServer() {
        List<String> options = new ArrayList<>(List.of(
                "--account",
                TrestleProcess.ACCOUNT + ":" + TrestleProcess.KEY,
                "--account",
                OTHER_ACCOUNT + ":" + OTHER_KEY_1 + ":" + OTHER_KEY_2));
        if (!System.getProperty("trestle.engine", "").equals("hbase")) {
            options.add("--in-memory");
            return TrestleProcess.start(options.toArray(String[]::new));
        }
        return TrestleProcess.startOnCluster(SharedCluster.quorum(), options.toArray(String[]::new));
    }
}
