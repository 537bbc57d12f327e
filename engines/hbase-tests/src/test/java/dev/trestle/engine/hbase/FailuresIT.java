package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.PartitionRanges;
import dev.trestle.engine.PartitionRanges.Range;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import dev.trestle.sandbox.Role;
import dev.trestle.sandbox.Sandbox;
import dev.trestle.sandbox.SandboxProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Failures of cluster components under load. No acknowledged write is lost, no transaction is torn, every request
 * completes within its timeout, and the cluster recovers without intervention. {@code -Dfailures.rounds=N} repeats
 * each failure; the longest time without an acknowledgement is printed.
 */
class FailuresIT {
    private static final int ROUNDS = Integer.getInteger("failures.rounds", 1);
    private static final long COLLECTION = 0x0101_0101_0101_0105L;
    private static final long OTHER_COLLECTION = 0x0101_0101_0101_0107L;
    private static final int WRITERS = 6;
    private static final int ROWS = 10;
    private static final Duration ANSWER_TIME = Duration.ofSeconds(10);
    private static final Duration RECOVERY_TIME_MAX = Duration.ofMinutes(2);

    /** Transactions of each writer before a failure, and again after the recovery. */
    private static final int TRANSACTIONS = 100;

    private static Sandbox sandbox;

    private final List<Writer> writers = new ArrayList<>();
    private HBaseEngine engine;

    @BeforeAll
    static void start() {
        sandbox = TestCluster.begin(folder -> Sandbox.separate(folder, 2));
    }

    @AfterAll
    static void stop() {
        sandbox.close();
    }

    @BeforeEach
    void open() {
        // Processes that lose their ZooKeeper session terminate; restarting them is not the task of the engine.
        sandbox.start();
        engine = HBaseEngine.open(
                HBaseEngineConfig.at(sandbox.quorum()).withRequestTimeout(ANSWER_TIME), InstantSource.system());
    }

    @AfterEach
    void close() {
        writers.forEach(Writer::end);
        engine.close();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    /** Writes transactions to its own partition sequentially, and records the results. */
    private final class Writer extends Thread {
        private final String partition;
        private final Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
        private final Set<Integer> unknown = ConcurrentHashMap.newKeySet();
        private volatile boolean ended;
        private volatile long lastNanos = System.nanoTime();
        private volatile long longestNanos;
        private volatile Optional<Throwable> fault = Optional.empty();

        Writer(String partition) {
            super(partition);
            this.partition = partition;
        }

        @Override
        public void run() {
            try {
                for (int number = 0; !ended; number++) {
                    write(number);
                }
            } catch (Throwable e) {
                fault = Optional.of(e);
            }
        }

        private void write(int number) throws Exception {
            List<Write> writes = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                byte[] row =
                        new RowBuilder().put("N", new EdmValue.Int32(number)).build();
                Key key = Key.of(COLLECTION, partition, String.format("%08d-%02d", number, i));
                writes.add(new Write.Put(key, row, Precondition.ABSENT));
            }
            long begun = System.nanoTime();
            try {
                CommitResult result = await(engine.commit(new Commit(COLLECTION, partition, writes)));
                assertThat(result).isInstanceOf(CommitResult.Committed.class);
                acknowledged.add(number);
                longestNanos = Math.max(longestNanos, System.nanoTime() - lastNanos);
                lastNanos = System.nanoTime();
            } catch (ExecutionException e) {
                assertThat(e.getCause()).isInstanceOf(EngineException.class);
                unknown.add(number);
            }
            assertInTime(begun);
        }

        void end() {
            ended = true;
            try {
                join(TimeUnit.MINUTES.toMillis(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Two ranges on different servers, with three writers each. */
    private PartitionRanges spread(String prefix) throws Exception {
        for (int i = 0; i < WRITERS; i++) {
            writers.add(new Writer(prefix + i));
        }
        PartitionRanges ranges = engine.ranges();
        byte[] middle = Key.beforePartition(COLLECTION, prefix + WRITERS / 2);
        await(ranges.split(holding(ranges, middle).id(), Optional.of(middle)));
        Range second = holding(ranges, middle);
        Range first = holding(ranges, Key.beforePartition(COLLECTION, prefix + 0));
        if (first.server().equals(second.server())) {
            await(ranges.move(second.id(), Optional.empty()));
        }
        return ranges;
    }

    private static Range holding(PartitionRanges ranges, byte[] key) throws Exception {
        return await(ranges.list()).stream()
                .filter(range -> Arrays.compareUnsigned(range.from(), key) <= 0)
                .reduce((one, later) -> later)
                .orElseThrow();
    }

    private static SandboxProcess regionServer(String name) {
        int port = Integer.parseInt(name.split(",", -1)[1]);
        return sandbox.processes().stream()
                .filter(process -> process.role() == Role.REGION_SERVER && process.port() == port)
                .findFirst()
                .orElseThrow();
    }

    private void failUnderLoad(String what, Runnable failure) throws Exception {
        writers.forEach(Thread::start);
        awaitAcknowledged(TRANSACTIONS);
        writers.forEach(writer -> writer.longestNanos = 0);
        failure.run();
        awaitAcknowledged(TRANSACTIONS);
        writers.forEach(Writer::end);
        for (Writer writer : writers) {
            assertThat(writer.fault).as(writer.getName()).isEmpty();
        }
        verify();
        tell(what);
    }

    /** Waits until so many more transactions of every writer are acknowledged. */
    private void awaitAcknowledged(int more) {
        for (Writer writer : writers) {
            int wanted = writer.acknowledged.size() + more;
            Awaitility.await("recovery without intervention")
                    .atMost(RECOVERY_TIME_MAX)
                    .untilAsserted(() -> {
                        assertThat(writer.fault).isEmpty();
                        assertThat(writer.acknowledged).hasSizeGreaterThanOrEqualTo(wanted);
                    });
        }
    }

    private void verify() throws Exception {
        Map<String, Integer> found = new HashMap<>();
        List<KeyRange> rest = List.of(Key.collectionRange(COLLECTION));
        while (!rest.isEmpty()) {
            RowPage page = page(rest);
            for (int i = 0; i < page.size(); i++) {
                Key key = page.key(i);
                String transaction =
                        key.partitionKey() + " " + Integer.parseInt(key.rowKey().substring(0, 8));
                found.merge(transaction, 1, Integer::sum);
            }
            rest = page.resume().isEmpty()
                    ? List.of()
                    : List.of(rest.get(0).startingAt(page.resume().get().bytes()));
        }
        assertThat(found.values()).as("no transaction is torn").allMatch(rows -> rows == ROWS);
        for (Writer writer : writers) {
            for (int number : writer.acknowledged) {
                assertThat(found).as("what was acknowledged is there").containsKey(writer.partition + " " + number);
            }
        }
    }

    /** A range in transition when the master terminates stays closed until there is a master again. */
    private RowPage page(List<KeyRange> ranges) throws Exception {
        Scan scan = new Scan(ranges, Filter.ALL, List.of(), new Scan.Limits(1000, 4 << 20, Duration.ofSeconds(5)));
        long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (true) {
            long begun = System.nanoTime();
            try {
                return await(engine.scan(scan));
            } catch (ExecutionException e) {
                assertThat(e.getCause()).isInstanceOf(EngineException.class);
                assertInTime(begun);
                assertThat(begun).as("it comes back").isLessThan(limit);
            }
            sandbox.start();
        }
    }

    private static void assertInTime(long begun) {
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .as("every request is answered in its time")
                .isLessThan(ANSWER_TIME.plusSeconds(5));
    }

    @SuppressWarnings("SystemOut") // The figures are what a long run is for.
    private void tell(String what) {
        int acknowledged =
                writers.stream().mapToInt(writer -> writer.acknowledged.size()).sum();
        int unknown = writers.stream().mapToInt(writer -> writer.unknown.size()).sum();
        double longest =
                writers.stream().mapToLong(writer -> writer.longestNanos).max().orElse(0) / 1e9;
        System.out.printf(
                "%s: %,d transactions acknowledged, %d answered with an error, %.1f s without an answer at most%n",
                what, acknowledged, unknown, longest);
    }

    @Test
    void a_region_server_is_killed() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            writers.clear();
            PartitionRanges ranges = spread("server" + round + "-");
            Range range = holding(ranges, Key.beforePartition(COLLECTION, "server" + round + "-" + 0));
            SandboxProcess server = regionServer(range.server().orElseThrow());
            failUnderLoad("region server killed", () -> sandbox.kill(Role.REGION_SERVER, server.index()));
            sandbox.start();
        }
    }

    @Test
    void the_master_is_killed() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            writers.clear();
            spread("master" + round + "-");
            failUnderLoad("master killed", () -> sandbox.kill(Role.MASTER, 1));
            sandbox.start();
        }
    }

    /**
     * If a range has moved, the HBase client looks up whether the table is disabled, by default without a timeout.
     */
    @Test
    void every_request_is_answered_in_its_time_while_nobody_knows_where_ranges_are() throws Exception {
        Duration answerTime = Duration.ofSeconds(3);
        PartitionRanges ranges = engine.ranges();
        Key key = Key.of(OTHER_COLLECTION, "p", "r");
        KeyRange all = Key.collectionRange(OTHER_COLLECTION);
        Scan scan = new Scan(List.of(all), Filter.ALL, List.of(), new Scan.Limits(10, 1 << 20, Duration.ofSeconds(1)));
        byte[] row = new RowBuilder().put("N", new EdmValue.Int32(1)).build();
        Commit commit = new Commit(OTHER_COLLECTION, "p", List.of(new Write.Put(key, row, Precondition.NONE)));
        try (Connection connection = TestCluster.connect(sandbox.quorum());
                Admin admin = connection.getAdmin()) {
            ServerName knowing = connection
                    .getRegionLocator(TableName.META_TABLE_NAME)
                    .getRegionLocation(HConstants.EMPTY_START_ROW)
                    .getServerName();
            Range range = holding(ranges, all.from());
            if (range.server().orElseThrow().equals(knowing.getServerName())) {
                await(ranges.move(range.id(), Optional.empty()));
            }
            // Opened after the move, because a client with the old location would try the other server first.
            HBaseEngine impatient = HBaseEngine.open(
                    HBaseEngineConfig.at(sandbox.quorum()).withRequestTimeout(answerTime), InstantSource.system());
            assertThat(await(impatient.commit(commit))).isInstanceOf(CommitResult.Committed.class);
            admin.unassign(range.id().getBytes(StandardCharsets.US_ASCII));
            int server = regionServer(knowing.getServerName()).index();
            sandbox.pause(Role.REGION_SERVER, server);
            try {
                long begun = System.nanoTime();
                for (CompletionStage<?> request :
                        List.of(impatient.read(key), impatient.scan(scan), impatient.commit(commit))) {
                    assertThatThrownBy(() -> await(request)).hasCauseInstanceOf(EngineException.class);
                }
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(answerTime.plusSeconds(2));
            } finally {
                sandbox.resume(Role.REGION_SERVER, server);
            }
            admin.assign(range.id().getBytes(StandardCharsets.US_ASCII));
            assertThat(await(engine.read(key))).isPresent();
            impatient.close();
        }
    }

    @Test
    void zookeeper_is_killed_and_started_again() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            writers.clear();
            spread("zookeeper" + round + "-");
            failUnderLoad("ZooKeeper restarted", () -> {
                sandbox.kill(Role.ZOOKEEPER, 1);
                sandbox.start();
            });
        }
    }
}
