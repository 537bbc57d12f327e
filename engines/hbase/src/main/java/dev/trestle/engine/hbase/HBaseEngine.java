package dev.trestle.engine.hbase;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitObserver;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.CommonMetrics;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.EngineLimits;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.PartitionRanges;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.engine.support.Timer;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.Rows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionConfiguration;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores rows in an HBase cluster, which any number of front ends share. A front end has no durable state, so it
 * can terminate at any time.
 */
public final class HBaseEngine implements Engine {
    private static final Logger LOG = LoggerFactory.getLogger(HBaseEngine.class);
    private static final int DELETE_BATCH_ROWS = 1000;
    private static final long CHECK_MILLIS = 60_000;
    private static final double BUSY_REQUESTS = 5000;
    private static final double QUIET_REQUESTS = 10;
    private static final int QUIET_CHECKS = 30;
    /** The commit number of bulk-loaded rows. */
    private static final long LOADED = 0;

    private static final Duration OPEN_TIME = Duration.ofMinutes(2);

    private final AsyncConnection connection;

    /**
     * The connection for commits. Its client does not retry, because the first attempt would make the retry fail.
     */
    private final AsyncConnection once;

    private final TableName table;
    private final HBaseTable cluster;
    private final Committer committer;
    private final Regions regions;
    private final Thread maintenance;
    private final Versions versions;
    private final ConcurrencyLimit reads;
    private final ConcurrencyLimit scans;
    private final HBaseTelemetry telemetry;
    private final Duration requestTimeout;
    private final Duration lateWriterGrace;

    /**
     * Dropped collections that operations in flight may still refer to; entries are evicted by {@link #release}.
     */
    private final Set<Long> dropped = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean closed = new AtomicBoolean();

    private HBaseEngine(
            AsyncConnection connection, AsyncConnection once, HBaseEngineConfig config, InstantSource clock) {
        this.connection = connection;
        this.once = once;
        this.table = Schema.table(config.cluster().namespace());
        this.requestTimeout = config.requestTimeout();
        this.lateWriterGrace = config.lateWriterGrace();
        EngineLimits limits = config.limits();
        this.reads = new ConcurrencyLimit("reads", config.readsInFlightMax(), limits.readsQueuedMax(), requestTimeout);
        this.scans = new ConcurrencyLimit("pages", config.scansInFlightMax(), limits.scansQueuedMax(), requestTimeout);
        this.cluster = new HBaseTable(connection, once, table, requestTimeout);
        this.versions =
                new Versions(clock, cluster.greatestMark().toCompletableFuture().join(), cluster::keepMark);
        this.regions = new Regions(connection, table);
        long largeBytes = connection
                .getConfiguration()
                .getLong(HConstants.HREGION_MAX_FILESIZE, HConstants.DEFAULT_MAX_FILE_SIZE);
        RegionMaintainer maintainer = new RegionMaintainer(new RegionMaintainer.Thresholds(
                largeBytes + largeBytes / 5, BUSY_REQUESTS, QUIET_REQUESTS, QUIET_CHECKS));
        this.maintenance = new Thread(() -> maintain(maintainer), "trestle-ranges");
        maintenance.setDaemon(true);
        maintenance.start();
        this.committer = new Committer(cluster, versions, dropped::contains, config, this::observer);
        this.telemetry = new HBaseTelemetry(new CommonMetrics(
                committer::queued, reads::queued, reads::inFlight, scans::queued, scans::inFlight, dropped::size));
    }

    /**
     * Connects to the cluster, and creates the table if it does not exist.
     *
     * @throws EngineException if that fails, with a message for the operator
     */
    public static HBaseEngine open(HBaseEngineConfig config, InstantSource clock) {
        AsyncConnection connection = null;
        AsyncConnection once = null;
        try {
            Configuration configuration = configuration(config);
            KerberosLogin.ifRequired(configuration);
            connection = connect(configuration);
            Configuration withoutRetries = new Configuration(configuration);
            withoutRetries.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
            once = connect(withoutRetries);
            Schema.prepare(connection.getAdmin(), config.cluster().namespace());
            return new HBaseEngine(connection, once, config, clock);
        } catch (Exception e) {
            close(connection);
            close(once);
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            Throwable cause = e instanceof ExecutionException ? e.getCause() : StageFailures.cause(e);
            throw cause instanceof EngineException known
                    ? known
                    : new EngineException(
                            EngineException.Kind.UNAVAILABLE,
                            "The HBase cluster"
                                    + config.cluster()
                                            .quorum()
                                            .map(at -> " at " + at)
                                            .orElse("") + " cannot be used: "
                                    + withoutTrace(String.valueOf((cause == null ? e : cause).getMessage())),
                            e);
        }
    }

    /** Removes the stack trace that HBase servers add to exception messages. */
    private static String withoutTrace(String message) {
        return message.lines().filter(line -> !line.startsWith("\tat ")).collect(Collectors.joining("\n"));
    }

    private static AsyncConnection connect(Configuration configuration) throws Exception {
        // With the login of this process; otherwise each connection would log in again from the keytab.
        return ConnectionFactory.createAsyncConnection(configuration, User.getCurrent())
                .get(OPEN_TIME.toSeconds(), TimeUnit.SECONDS);
    }

    static Configuration configuration(HBaseEngineConfig config) {
        Configuration configuration = HBaseConfiguration.create();
        config.cluster().configuration().ifPresent(folder -> {
            for (String file : new String[] {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"}) {
                configuration.addResource(new Path(folder.resolve(file).toUri()));
            }
        });
        config.cluster().quorum().ifPresent(quorum -> {
            configuration.set(HConstants.ZOOKEEPER_QUORUM, quorum);
            int colon = quorum.split(",", 2)[0].lastIndexOf(':');
            if (colon >= 0) {
                configuration.set(HConstants.ZOOKEEPER_CLIENT_PORT, quorum.split(",", 2)[0].substring(colon + 1));
            }
        });
        // Meta lookups are part of a request. The default timeout is 20 minutes, during which a request that has
        // timed out here would stay in flight.
        long lookupMillis = config.requestTimeout().toMillis() / 2;
        configuration.setLong(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, lookupMillis);
        configuration.setLong(ConnectionConfiguration.HBASE_CLIENT_META_SCANNER_TIMEOUT, lookupMillis);
        configuration.setLong(ConnectionConfiguration.HBASE_CLIENT_META_READ_RPC_TIMEOUT_KEY, lookupMillis);
        return configuration;
    }

    private void maintain(RegionMaintainer maintainer) {
        try {
            while (!closed.get()) {
                Thread.sleep(CHECK_MILLIS);
                maintainer.check(regions);
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    private CommitObserver observer() {
        return telemetry.observer();
    }

    /** Returns the metrics of this engine. */
    public EngineTelemetry telemetry() {
        return telemetry;
    }

    /** Returns the key ranges of the cluster, which are regions. */
    public PartitionRanges ranges() {
        return regions;
    }

    @Override
    public CompletionStage<Optional<byte[]>> read(Key key) {
        return HBaseErrors.translate(reads.run(() -> ifOpen(() -> cluster.read(key))));
    }

    @Override
    public CompletionStage<RowPage> scan(Scan scan) {
        return HBaseErrors.translate(scans.run(() -> ifOpen(() -> scan.ranges().isEmpty()
                ? CompletableFuture.completedFuture(new RowPage.Builder().end())
                : PageScan.start(connection, table, scan, requestTimeout, versions::seen))));
    }

    private <T> CompletionStage<T> ifOpen(Supplier<CompletionStage<T>> request) {
        return closed.get() ? CompletableFuture.failedFuture(HBaseErrors.closed()) : request.get();
    }

    @Override
    public CompletionStage<CommitResult> commit(Commit commit) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(HBaseErrors.closed());
        }
        // Covers all attempts. A request in flight at the timeout may still take effect.
        return HBaseErrors.translate(Timer.limit(committer.submit(commit).toCompletableFuture(), requestTimeout));
    }

    @Override
    public CompletionStage<Void> drop(long collection) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(HBaseErrors.closed());
        }
        dropped.add(collection);
        KeyRange range = Key.collectionRange(collection);
        // Commits that have passed the check for dropped collections must be written first.
        return HBaseErrors.translate(committer
                .settled()
                .thenCompose(settled -> remove(range))
                .thenCompose(done -> Timer.after(lateWriterGrace))
                .thenCompose(late -> remove(range)));
    }

    @Override
    public void release(long collection) {
        // A commit that has timed out for its caller may still be queued, and must be refused too.
        committer
                .settled()
                .whenComplete(
                        (settled, failure) -> Timer.after(requestTimeout).thenRun(() -> dropped.remove(collection)));
    }

    /** Stores rows with their versions, replacing existing ones. */
    CompletionStage<Void> load(RowPage page) {
        List<Mutation> mutations = new ArrayList<>();
        for (int i = 0; i < page.size(); i++) {
            byte[] row = page.row(i);
            versions.seen(Rows.version(row));
            mutations.addAll(RowCells.change(page.key(i), null, row, LOADED, Durability.SYNC_WAL));
        }
        return HBaseErrors.translate(cluster.writeAll(mutations));
    }

    @Override
    public boolean isShared() {
        return true;
    }

    private CompletionStage<Void> remove(KeyRange range) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(HBaseErrors.closed());
        }
        return cluster.deleteSome(range, DELETE_BATCH_ROWS)
                .thenCompose(more -> more ? remove(range) : CompletableFuture.completedFuture(null));
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            maintenance.interrupt();
            committer.close();
            try {
                versions.finish().toCompletableFuture().get(requestTimeout.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                LOG.warn(
                        "Storing the last version failed. After a restart, versions will be a few seconds ahead of the clock",
                        e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            close(connection);
            close(once);
        }
    }

    private static void close(@Nullable AsyncConnection connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
