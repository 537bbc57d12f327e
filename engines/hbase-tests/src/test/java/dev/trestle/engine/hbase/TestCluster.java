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

    /** Begun when first asked for. */
    private static final class Started {
        private static final String QUORUM =
                unbalanced(begin(folder -> Sandbox.oneJvm(folder, 2)).quorum());

        /**
         * With ranges that stay where they are unless a test moves them. The balancer would do it now and then, and commits
         * that have to be tried again for it get later versions than the model gives.
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

    /** Begun when first asked for, with separate processes, since only those have a file system of their own. */
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

    /** A folder with the settings of a cluster that keeps contents in HDFS, the same for all tests of this JVM. */
    static Path settingsWithFiles() {
        return WithFiles.SETTINGS;
    }

    /** Starts a separate cluster, removed when this JVM exits, for tests that damage it. Others share one. */
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
        return HBaseEngineConfig.at(quorum()).withLateWriters(Duration.ZERO);
    }

    static Connection connect() throws IOException {
        return connect(quorum());
    }

    static Connection connect(String quorum) throws IOException {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set(HConstants.ZOOKEEPER_QUORUM, quorum);
        return ConnectionFactory.createConnection(configuration);
    }

    /** Opens engines on a table that is empty the first time. */
    static final class Fresh {
        private final boolean truncated;
        private boolean opened;

        /** With the deletions of all that was there before, which is soon done and a trial in itself. */
        Fresh() {
            this(false);
        }

        /** @param truncated whether not even deletions are to be left */
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
