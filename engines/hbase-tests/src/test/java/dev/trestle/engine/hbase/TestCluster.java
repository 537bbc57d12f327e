package dev.trestle.engine.hbase;

import dev.trestle.engine.Engine;
import dev.trestle.sandbox.Sandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** The cluster for all tests of this JVM: one that it starts, or the one of {@code -Dtrestle.hbase.quorum}. */
final class TestCluster {
    private static final String QUORUM = System.getProperty("trestle.hbase.quorum", "");

    static final TableName TABLE = TableName.valueOf("trestle", "rows");
    private static final byte[] FAMILY = {'e'};

    private TestCluster() {}

    /** Started on first use. */
    private static final class Started {
        private static final String QUORUM =
                unbalanced(begin(folder -> Sandbox.oneJvm(folder, 2)).quorum());

        /**
         * Without the balancer, so that only tests move ranges. Commits that are retried because of a move get
         * later versions than in the model.
         */
        private static String unbalanced(String quorum) {
            try (Connection connection = connect(quorum)) {
                connection.getAdmin().balancerSwitch(false, true);
                return quorum;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Started on first use, in separate processes, because only those have HDFS. */
    private static final class WithFiles {
        private static final Path SETTINGS = begin();

        private static Path begin() {
            Path[] settings = new Path[1];
            TestCluster.begin(folder -> {
                settings[0] = folder.resolve("conf");
                return Sandbox.separate(folder, 1);
            });
            return settings[0];
        }
    }

    /** Returns the configuration folder of a cluster with HDFS, which all tests of this JVM share. */
    static Path settingsWithFiles() {
        return WithFiles.SETTINGS;
    }

    /** Starts a cluster in a temporary folder, for tests that damage it; both are deleted when this JVM exits. */
    static Sandbox begin(Function<Path, Sandbox> kind) {
        try {
            Path folder = Files.createTempDirectory("trestle-hbase");
            Sandbox sandbox = kind.apply(folder);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                sandbox.close();
                remove(folder);
            }));
            sandbox.start();
            return sandbox;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String quorum() {
        return QUORUM.isEmpty() ? Started.QUORUM : QUORUM;
    }

    static HBaseEngineConfig config() {
        return HBaseEngineConfig.at(quorum()).withLateWriterGrace(Duration.ZERO);
    }

    static Connection connect() throws IOException {
        return connect(quorum());
    }

    static Connection connect(String quorum) throws IOException {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set(HConstants.ZOOKEEPER_QUORUM, quorum);
        return ConnectionFactory.createConnection(configuration);
    }

    /** Opens engines on a table that is empty at first. */
    static final class Fresh {
        private final boolean truncated;
        private boolean opened;

        /** Deletes earlier rows, which is fast and leaves tombstones as a harder case. */
        Fresh() {
            this(false);
        }

        /** @param truncated whether to truncate the table, so that no tombstones remain */
        Fresh(boolean truncated) {
            this.truncated = truncated;
        }

        Engine open(InstantSource clock) throws IOException {
            if (!opened) {
                opened = true;
                clear();
            }
            return HBaseEngine.open(config(), clock);
        }

        private void clear() throws IOException {
            try (Connection connection = connect();
                    Table table = connection.getTable(TABLE)) {
                if (!connection.getAdmin().tableExists(table.getName())) {
                    return;
                }
                if (truncated) {
                    connection.getAdmin().disableTable(table.getName());
                    connection.getAdmin().truncateTable(table.getName(), false);
                    return;
                }
                try (var rows = table.getScanner(new Scan())) {
                    for (Result row : rows) {
                        table.delete(new Delete(row.getRow()).addFamily(FAMILY, row.rawCells()[0].getTimestamp()));
                    }
                }
            }
        }
    }
}
