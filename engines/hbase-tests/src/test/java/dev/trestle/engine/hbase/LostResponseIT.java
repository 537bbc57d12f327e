package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EdmValue;
import dev.trestle.sandbox.Role;
import dev.trestle.sandbox.Sandbox;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A server that is suspended for longer than the timeout of a call, and then executes the first call and its
 * retries.
 */
class LostResponseIT {
    private static final long COLLECTION = 0x0101_0101_0101_0104L;
    private static final Key KEY = Key.of(COLLECTION, "p", "r");

    /** Half of it is the timeout of a single call. */
    private static final Duration ANSWER_TIME = Duration.ofSeconds(12);

    /** Longer than the timeout of a call, and too short for other processes to consider the server dead. */
    private static final Duration STANDSTILL = Duration.ofSeconds(7);

    private static Sandbox sandbox;
    private final AtomicReference<Runnable> beforeVersion = new AtomicReference<>(() -> {});
    private HBaseEngine engine;

    @BeforeAll
    static void start() {
        sandbox = TestCluster.begin(folder -> Sandbox.oneJvm(folder, 1));
    }

    @AfterAll
    static void stop() {
        sandbox.close();
    }

    @BeforeEach
    void open() {
        engine = HBaseEngine.open(HBaseEngineConfig.at(sandbox.quorum()).withRequestTimeout(ANSWER_TIME), this::now);
    }

    /** Called for the version of a commit, after its rows were read and before it is sent. */
    private Instant now() {
        beforeVersion.getAndSet(() -> {}).run();
        return Instant.now();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static byte[] row(int value) {
        return new RowBuilder().put("N", new EdmValue.Int32(value)).build();
    }

    private CompletableFuture<CommitResult> commit(Write write) {
        return engine.commit(new Commit(COLLECTION, "p", List.of(write))).toCompletableFuture();
    }

    /** Fetches locations and versions, so that the next call is the commit itself. */
    private void warmUp() throws Exception {
        commit(new Write.Put(Key.of(COLLECTION, "p", "other"), row(0), Precondition.NONE))
                .get(30, TimeUnit.SECONDS);
    }

    private CommitResult sentIntoStandstill(Write write) throws Exception {
        warmUp();
        CountDownLatch still = new CountDownLatch(1);
        beforeVersion.set(() -> {
            sandbox.pause(Role.ONE_JVM, 1);
            still.countDown();
        });
        CompletableFuture<CommitResult> answer = commit(write);
        try {
            assertThat(still.await(30, TimeUnit.SECONDS)).isTrue();
            Awaitility.await().during(STANDSTILL).atMost(ANSWER_TIME).until(() -> !answer.isDone());
        } finally {
            sandbox.resume(Role.ONE_JVM, 1);
        }
        return answer.get(30, TimeUnit.SECONDS);
    }

    @Test
    void an_insert_that_took_effect_unheard_is_no_conflict_with_itself() throws Exception {
        CommitResult result = sentIntoStandstill(new Write.Put(KEY, row(1), Precondition.ABSENT));
        assertThat(result).isInstanceOf(CommitResult.Committed.class);
        byte[] stored =
                engine.read(KEY).toCompletableFuture().get(30, TimeUnit.SECONDS).orElseThrow();
        assertThat(Rows.version(stored)).isEqualTo(((CommitResult.Committed) result).version());
    }

    @Test
    void a_deletion_that_took_effect_unheard_is_not_said_to_have_found_nothing() throws Exception {
        Key key = Key.of(COLLECTION, "p", "deleted");
        CommitResult put = commit(new Write.Put(key, row(1), Precondition.NONE)).get(30, TimeUnit.SECONDS);
        long version = ((CommitResult.Committed) put).version();
        assertThat(sentIntoStandstill(new Write.Delete(key, Precondition.versionEquals(version))))
                .isInstanceOf(CommitResult.Committed.class);
        assertThat(engine.read(key).toCompletableFuture().get(30, TimeUnit.SECONDS))
                .isEmpty();
    }
}
