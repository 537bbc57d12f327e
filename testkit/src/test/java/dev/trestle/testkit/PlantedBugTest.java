package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import dev.trestle.testkit.history.Workload;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** That the history check is able to fail: engines with a bug each, under the load that every engine has to stand. */
class PlantedBugTest {
    private static final int CLIENTS = 8;
    private static final int OPERATIONS_OF_A_CLIENT = 300;

    private final ModelEngine model = new ModelEngine(InstantSource.system());

    @Test
    void an_engine_without_a_bug_passes() throws Exception {
        assertThat(violation(new ForwardingEngine(model))).isEmpty();
    }

    @Test
    void conditions_checked_apart_from_the_write_are_found() throws Exception {
        assertThat(violation(new ForwardingEngine(model) {
                    @Override
                    public CompletionStage<CommitResult> commit(Commit commit) {
                        for (int i = 0; i < commit.writes().size(); i++) {
                            Write write = commit.writes().get(i);
                            Optional<byte[]> row = EngineContract.await(model.read(write.key()));
                            Optional<CommitResult.Reason> refusal = write.precondition()
                                    .check(
                                            row.isPresent(),
                                            row.map(Rows::version).orElse(0L));
                            if (refusal.isPresent()) {
                                return CompletableFuture.completedFuture(new CommitResult.Refused(i, refusal.get()));
                            }
                        }
                        letOthersIn();
                        List<Write> unconditional = commit.writes().stream()
                                .map(PlantedBugTest::withoutCondition)
                                .toList();
                        return model.commit(new Commit(commit.collection(), commit.partitionKey(), unconditional));
                    }
                }))
                .hasValueSatisfying(text -> assertThat(text).contains("no order of the operations explains"));
    }

    private static Write withoutCondition(Write write) {
        if (write instanceof Write.Put put) {
            return new Write.Put(put.key(), put.row(), Precondition.NONE);
        } else if (write instanceof Write.Merge merge) {
            return new Write.Merge(merge.key(), merge.columns(), Precondition.NONE, merge.limits());
        }
        return new Write.Delete(write.key(), Precondition.NONE);
    }

    @Test
    void transactions_made_in_two_halves_are_found() throws Exception {
        assertThat(violation(new ForwardingEngine(model) {
                    @Override
                    public CompletionStage<CommitResult> commit(Commit commit) {
                        List<Write> writes = commit.writes();
                        boolean conditional = writes.stream()
                                .anyMatch(write -> !write.precondition().equals(Precondition.NONE));
                        if (writes.size() == 1 || conditional) {
                            return model.commit(commit);
                        }
                        int half = writes.size() / 2;
                        EngineContract.await(model.commit(new Commit(
                                commit.collection(), commit.partitionKey(), new ArrayList<>(writes.subList(0, half)))));
                        letOthersIn();
                        return model.commit(new Commit(
                                commit.collection(),
                                commit.partitionKey(),
                                new ArrayList<>(writes.subList(half, writes.size()))));
                    }
                }))
                .isPresent();
    }

    @Test
    void reads_from_a_cache_that_is_not_told_of_writes_are_found() throws Exception {
        Map<Key, Optional<byte[]>> cache = new ConcurrentHashMap<>();
        AtomicInteger reads = new AtomicInteger();
        assertThat(violation(new ForwardingEngine(model) {
                    @Override
                    public CompletionStage<Optional<byte[]>> read(Key key) {
                        if (reads.incrementAndGet() % 10 == 0) {
                            cache.clear();
                        }
                        return CompletableFuture.completedFuture(
                                cache.computeIfAbsent(key, missing -> EngineContract.await(model.read(key))));
                    }
                }))
                .hasValueSatisfying(text -> assertThat(text).contains("no order of the operations explains"));
    }

    @Test
    void a_write_that_is_acknowledged_and_forgotten_is_found() throws Exception {
        AtomicInteger commits = new AtomicInteger();
        assertThat(violation(new ForwardingEngine(model) {
                    @Override
                    public CompletionStage<CommitResult> commit(Commit commit) {
                        boolean free = commit.writes().stream()
                                .allMatch(write -> write.precondition().equals(Precondition.NONE));
                        return free && commits.incrementAndGet() % 20 == 0
                                ? CompletableFuture.completedFuture(new CommitResult.Committed(Long.MAX_VALUE))
                                : model.commit(commit);
                    }
                }))
                .isPresent();
    }

    private static void letOthersIn() {
        LockSupport.parkNanos(10_000);
    }

    private Optional<String> violation(Engine engine) throws InterruptedException {
        Workload workload = new Workload(System.nanoTime(), CLIENTS, 2, 3);
        workload.run(() -> new EngineTarget(engine), OPERATIONS_OF_A_CLIENT);
        return workload.history().violation();
    }
}
