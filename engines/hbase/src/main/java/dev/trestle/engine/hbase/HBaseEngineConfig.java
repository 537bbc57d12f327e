package dev.trestle.engine.hbase;

import dev.trestle.engine.ClusterConfig;
import dev.trestle.engine.Durability;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.EngineLimits;
import dev.trestle.engine.StorageConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;

/**
 * The part of a {@link StorageConfig} that applies to this engine, validated.
 *
 * @param requestTimeout how long a request may wait for the cluster before it fails as overloaded
 * @param lateWriterGrace how long other front ends may still write to a collection after this one has dropped it
 */
public record HBaseEngineConfig(
        ClusterConfig cluster,
        Durability durability,
        EngineLimits limits,
        Duration requestTimeout,
        Duration lateWriterGrace) {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration LATE_WRITER_GRACE = Duration.ofSeconds(30);

    /**
     * By default, a region server runs 30 calls concurrently, queues 300 and rejects more, and other front ends
     * call it too.
     */
    private static final int READS_IN_FLIGHT_MAX = 200;

    /** A page takes a few megabytes of memory while it is read. */
    private static final int SCANS_IN_FLIGHT_MAX = 32;

    /**
     * @throws EngineException if the engine cannot be opened with these settings, with a message for the operator
     */
    static HBaseEngineConfig of(StorageConfig config) {
        ClusterConfig cluster = config.cluster()
                .orElseGet(() -> new ClusterConfig(
                        Optional.empty(), Optional.empty(), ClusterConfig.DEFAULT_NAMESPACE, Optional.empty()));
        check(cluster);
        return new HBaseEngineConfig(cluster, config.durability(), config.limits(), REQUEST_TIMEOUT, LATE_WRITER_GRACE);
    }

    private static void check(ClusterConfig cluster) {
        if (cluster.quorum().isEmpty() && cluster.configuration().isEmpty()) {
            throw unusable("The HBase engine needs --hbase-quorum HOST:PORT, where the cluster's ZooKeeper is, or"
                    + " --hbase-conf DIR with its hbase-site.xml.");
        }
        cluster.configuration().ifPresent(folder -> {
            if (!Files.isReadable(folder.resolve("hbase-site.xml"))) {
                throw unusable("There is no hbase-site.xml to be read in " + folder + ".");
            }
        });
        try {
            TableName.isLegalNamespaceName(cluster.namespace().getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw unusable("--hbase-namespace takes letters, digits and underscores, not " + cluster.namespace() + ".");
        }
    }

    private static EngineException unusable(String message) {
        return new EngineException(EngineException.Kind.UNAVAILABLE, message);
    }

    private static HBaseEngineConfig defaults(Optional<String> quorum, Optional<Path> configuration) {
        return of(StorageConfig.in(
                new ClusterConfig(quorum, configuration, ClusterConfig.DEFAULT_NAMESPACE, Optional.empty())));
    }

    /** Returns the defaults for a cluster, given the addresses of its ZooKeeper servers. */
    public static HBaseEngineConfig at(String quorum) {
        return defaults(Optional.of(quorum), Optional.empty());
    }

    /** Returns the defaults for a cluster, given the folder of its client configuration. */
    public static HBaseEngineConfig at(Path configuration) {
        return defaults(Optional.empty(), Optional.of(configuration));
    }

    boolean isSynced() {
        return durability == Durability.SYNCED;
    }

    int readsInFlightMax() {
        return limits.readThreads().orElse(READS_IN_FLIGHT_MAX);
    }

    int scansInFlightMax() {
        return limits.scanThreads().orElse(SCANS_IN_FLIGHT_MAX);
    }

    public HBaseEngineConfig withNamespace(String value) {
        return withCluster(
                new ClusterConfig(cluster.quorum(), cluster.configuration(), value, cluster.contentFolder()));
    }

    public HBaseEngineConfig withConfiguration(Path value) {
        return withCluster(
                new ClusterConfig(cluster.quorum(), Optional.of(value), cluster.namespace(), cluster.contentFolder()));
    }

    public HBaseEngineConfig withContentFolder(String value) {
        return withCluster(
                new ClusterConfig(cluster.quorum(), cluster.configuration(), cluster.namespace(), Optional.of(value)));
    }

    private HBaseEngineConfig withCluster(ClusterConfig value) {
        return new HBaseEngineConfig(value, durability, limits, requestTimeout, lateWriterGrace);
    }

    public HBaseEngineConfig withDurability(Durability value) {
        return new HBaseEngineConfig(cluster, value, limits, requestTimeout, lateWriterGrace);
    }

    public HBaseEngineConfig withRequestTimeout(Duration value) {
        return new HBaseEngineConfig(cluster, durability, limits, value, lateWriterGrace);
    }

    public HBaseEngineConfig withLateWriterGrace(Duration value) {
        return new HBaseEngineConfig(cluster, durability, limits, requestTimeout, value);
    }
}
