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
 * @param answerTime how long a request may wait for the cluster before it is told to come back later
 * @param lateWriters how long another front end may go on writing to a collection that was dropped here
 * @param commitsQueuedMax commits that may wait for their turn
 */
public record HBaseEngineConfig(
        Optional<String> quorum,
        Optional<Path> configuration,
        String namespace,
        Durability durability,
        Duration answerTime,
        Duration lateWriters,
        int commitsQueuedMax) {
    private static final String NAMESPACE = "trestle";
    private static final Duration ANSWER_TIME = Duration.ofSeconds(20);
    private static final Duration LATE_WRITERS = Duration.ofSeconds(30);
    private static final int COMMITS_QUEUED_MAX = 10_000;

    /** What a commit has to reach before it is acknowledged. */
    public enum Durability {
        /** The disks of the data nodes. */
        SYNCED,
        /** The memory of the data nodes. */
        BUFFERED
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
                quorum, Optional.empty(), NAMESPACE, Durability.SYNCED, ANSWER_TIME, LATE_WRITERS, COMMITS_QUEUED_MAX);
    }

    public HBaseEngineConfig withNamespace(String value) {
        return new HBaseEngineConfig(
                quorum, configuration, value, durability, answerTime, lateWriters, commitsQueuedMax);
    }

    public HBaseEngineConfig withConfiguration(Path value) {
        return new HBaseEngineConfig(
                quorum, Optional.of(value), namespace, durability, answerTime, lateWriters, commitsQueuedMax);
    }

    public HBaseEngineConfig withDurability(Durability value) {
        return new HBaseEngineConfig(
                quorum, configuration, namespace, value, answerTime, lateWriters, commitsQueuedMax);
    }

    public HBaseEngineConfig withAnswerTime(Duration value) {
        return new HBaseEngineConfig(
                quorum, configuration, namespace, durability, value, lateWriters, commitsQueuedMax);
    }

    public HBaseEngineConfig withCommitsQueuedMax(int value) {
        return new HBaseEngineConfig(quorum, configuration, namespace, durability, answerTime, lateWriters, value);
    }

    public HBaseEngineConfig withLateWriters(Duration value) {
        return new HBaseEngineConfig(quorum, configuration, namespace, durability, answerTime, value, commitsQueuedMax);
    }
}
