package dev.trestle.engine.hbase;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How the engine reaches its cluster and what it asks of it.
 *
 * @param quorum where ZooKeeper is, {@code host:port} and more hosts behind commas; empty when the configuration says it
 * @param configuration a folder with {@code hbase-site.xml} and what else the client reads, for Kerberos among others
 * @param namespace the HBase namespace of Trestle's tables
 * @param contentFolder where contents are, as the address of a file system and a path; beside HBase's own when empty
 * @param answerTime how long a request may wait for the cluster before it is told to come back later
 * @param lateWriters how long another front end may go on writing to a collection that was dropped here
 */
public record HBaseEngineConfig(
        Optional<String> quorum,
        Optional<Path> configuration,
        String namespace,
        Optional<String> contentFolder,
        Durability durability,
        Duration answerTime,
        Duration lateWriters,
        Limits limits) {
    private static final String NAMESPACE = "trestle";
    private static final Duration ANSWER_TIME = Duration.ofSeconds(20);
    private static final Duration LATE_WRITERS = Duration.ofSeconds(30);

    /** What a commit has to reach before it is acknowledged. */
    public enum Durability {
        /** The disks of the data nodes. */
        SYNCED,
        /** The memory of the data nodes. */
        BUFFERED
    }

    /**
     * What is asked of the cluster at once, and what may wait for its turn.
     *
     * @param commitsQueuedMax commits; one at a time goes to each region
     * @param readsAtOnceMax reads of a row. A region server has 30 calls served and 300 wait, unless told otherwise, and
     *     turns away more, whoever makes them
     * @param scansAtOnceMax pages; each takes a few megabytes of memory here while it is read
     */
    public record Limits(
            int commitsQueuedMax, int readsAtOnceMax, int readsQueuedMax, int scansAtOnceMax, int scansQueuedMax) {
        public static final Limits DEFAULT = new Limits(10_000, 200, 1024, 32, 1024);

        public Limits {
            if (commitsQueuedMax < 1
                    || readsAtOnceMax < 1
                    || readsQueuedMax < 1
                    || scansAtOnceMax < 1
                    || scansQueuedMax < 1) {
                throw new IllegalArgumentException("every limit is above zero");
            }
        }
    }

    /** Where it is, is told by {@code hbase-site.xml}. */
    public static HBaseEngineConfig byConfiguration() {
        return at(Optional.empty());
    }

    public static HBaseEngineConfig at(String quorum) {
        return at(Optional.of(quorum));
    }

    private static HBaseEngineConfig at(Optional<String> quorum) {
        return new HBaseEngineConfig(
                quorum,
                Optional.empty(),
                NAMESPACE,
                Optional.empty(),
                Durability.SYNCED,
                ANSWER_TIME,
                LATE_WRITERS,
                Limits.DEFAULT);
    }

    public HBaseEngineConfig withNamespace(String value) {
        return new HBaseEngineConfig(
                quorum, configuration, value, contentFolder, durability, answerTime, lateWriters, limits);
    }

    public HBaseEngineConfig withContentFolder(String value) {
        return new HBaseEngineConfig(
                quorum, configuration, namespace, Optional.of(value), durability, answerTime, lateWriters, limits);
    }

    public HBaseEngineConfig withConfiguration(Path value) {
        return new HBaseEngineConfig(
                quorum, Optional.of(value), namespace, contentFolder, durability, answerTime, lateWriters, limits);
    }

    public HBaseEngineConfig withDurability(Durability value) {
        return new HBaseEngineConfig(
                quorum, configuration, namespace, contentFolder, value, answerTime, lateWriters, limits);
    }

    public HBaseEngineConfig withAnswerTime(Duration value) {
        return new HBaseEngineConfig(
                quorum, configuration, namespace, contentFolder, durability, value, lateWriters, limits);
    }

    public HBaseEngineConfig withLateWriters(Duration value) {
        return new HBaseEngineConfig(
                quorum, configuration, namespace, contentFolder, durability, answerTime, value, limits);
    }

    public HBaseEngineConfig withLimits(Limits value) {
        return new HBaseEngineConfig(
                quorum, configuration, namespace, contentFolder, durability, answerTime, lateWriters, value);
    }
}
