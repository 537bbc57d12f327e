package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.CommitResult.Reason;
import dev.trestle.engine.CommitResult.Refused;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EdmValue;
import dev.trestle.model.Ticks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Writing: preconditions, merging, atomicity, versions. */
public abstract class CommitContract extends EngineContract {
    private static final int WRITERS = 64;

    private final Key key = key("p", "r");

    protected CommitContract(Opener opener) {
        super(opener);
    }

    @Test
    void inserting_where_there_is_a_row_is_refused() {
        committed(insert(key, row("N", 1)));
        assertThat(commit(insert(key, row("N", 2)))).isEqualTo(new Refused(0, Reason.ROW_EXISTS));
        assertThat(properties(read(key).orElseThrow())).containsExactly(entry("N", new EdmValue.Int32(1)));
    }

    @Test
    void writing_a_row_that_must_be_there_and_is_not_is_refused() {
        assertThat(commit(new Write.Put(key, row(), Precondition.PRESENT)))
                .isEqualTo(new Refused(0, Reason.ROW_MISSING));
        assertThat(commit(new Write.Merge(key, row(), Precondition.PRESENT, ROW_LIMITS)))
                .isEqualTo(new Refused(0, Reason.ROW_MISSING));
        assertThat(commit(new Write.Delete(key, Precondition.PRESENT))).isEqualTo(new Refused(0, Reason.ROW_MISSING));
        assertThat(read(key)).isEmpty();
    }

    @Test
    void writing_with_the_current_version_succeeds() {
        long first = committed(put(key, row("N", 1)));
        long second = committed(new Write.Put(key, row("N", 2), Precondition.versionEquals(first)));
        long third = committed(new Write.Merge(key, row("M", 3), Precondition.versionEquals(second), ROW_LIMITS));
        committed(new Write.Delete(key, Precondition.versionEquals(third)));
        assertThat(read(key)).isEmpty();
    }

    @Test
    void writing_with_an_older_version_is_refused() {
        long first = committed(put(key, row("N", 1)));
        committed(put(key, row("N", 2)));
        assertThat(commit(new Write.Put(key, row("N", 3), Precondition.versionEquals(first))))
                .isEqualTo(new Refused(0, Reason.VERSION_DIFFERS));
        assertThat(commit(new Write.Delete(key, Precondition.versionEquals(first))))
                .isEqualTo(new Refused(0, Reason.VERSION_DIFFERS));
    }

    @Test
    void writing_with_a_version_where_there_is_no_row_is_refused_as_missing() {
        long version = committed(put(key, row()));
        committed(delete(key));
        assertThat(commit(new Write.Put(key, row(), Precondition.versionEquals(version))))
                .isEqualTo(new Refused(0, Reason.ROW_MISSING));
    }

    @Test
    void writing_without_a_precondition_always_succeeds() {
        committed(put(key, row("N", 1)));
        committed(put(key, row("N", 2)));
        assertThat(properties(read(key).orElseThrow())).containsExactly(entry("N", new EdmValue.Int32(2)));
    }

    @Test
    void a_put_leaves_no_column_of_the_row_it_replaces() {
        committed(put(key, row("A", 1, "B", 2)));
        committed(put(key, row("C", 3)));
        assertThat(properties(read(key).orElseThrow())).containsOnlyKeys("C");
    }

    @Test
    void a_merge_sets_its_columns_and_keeps_the_others() {
        committed(put(key, row("A", 1, "B", 2, "C", 3)));
        long version = committed(merge(key, row("B", "two", "D", 4)));
        byte[] row = read(key).orElseThrow();
        assertThat(properties(row))
                .containsOnly(
                        entry("A", new EdmValue.Int32(1)),
                        entry("B", new EdmValue.Text("two")),
                        entry("C", new EdmValue.Int32(3)),
                        entry("D", new EdmValue.Int32(4)));
        assertThat(Rows.version(row)).isEqualTo(version);
    }

    @Test
    void a_merge_makes_the_row_where_there_is_none() {
        committed(merge(key, row("A", 1)));
        assertThat(properties(read(key).orElseThrow())).containsExactly(entry("A", new EdmValue.Int32(1)));
    }

    @Test
    void a_merge_without_columns_only_gives_a_new_version() {
        long first = committed(put(key, row("A", 1)));
        long second = committed(merge(key, row()));
        assertThat(second).isGreaterThan(first);
        assertThat(properties(read(key).orElseThrow())).containsExactly(entry("A", new EdmValue.Int32(1)));
    }

    @Test
    void rows_that_are_put_are_not_changed_even_when_put_again() {
        byte[] row = row("N", 1);
        byte[] given = row.clone();
        long first = committed(insert(key, row));
        assertThat(row).isEqualTo(given);
        long second = committed(put(key, row), put(key("p", "other"), row));
        assertThat(row).isEqualTo(given);
        assertThat(second).isGreaterThan(first);
        assertThat(Rows.version(read(key).orElseThrow())).isEqualTo(second);
        assertThat(Rows.version(read(key("p", "other")).orElseThrow())).isEqualTo(second);
    }

    @Test
    void columns_that_are_merged_are_not_changed_even_when_merged_again() {
        byte[] columns = row("N", 1);
        byte[] given = columns.clone();
        committed(merge(key, columns));
        assertThat(columns).isEqualTo(given);
        long second = committed(merge(key, columns), merge(key("p", "other"), columns));
        assertThat(columns).isEqualTo(given);
        assertThat(Rows.version(read(key).orElseThrow())).isEqualTo(second);
        assertThat(Rows.version(read(key("p", "other")).orElseThrow())).isEqualTo(second);
    }

    @Test
    void one_row_can_be_in_several_commits_at_a_time() {
        byte[] row = row("N", 1);
        byte[] given = row.clone();
        List<CompletionStage<CommitResult>> commits = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            commits.add(engine.commit(
                    commitOf(i % 2 == 0 ? put(key("p", "r" + i), row) : merge(key("p", "r" + i), row))));
        }
        for (int i = 0; i < WRITERS; i++) {
            CommitResult result = await(commits.get(i));
            assertThat(result)
                    .isEqualTo(new CommitResult.Committed(
                            Rows.version(read(key("p", "r" + i)).orElseThrow())));
        }
        assertThat(row).isEqualTo(given);
    }

    @Test
    void a_merge_past_the_column_limit_is_refused() {
        committed(put(key, row("A", 1, "B", 2)));
        Write.RowLimits two = new Write.RowLimits(2, 2, 1 << 20);
        committed(new Write.Merge(key, row("B", 3), Precondition.NONE, two));
        assertThat(commit(new Write.Merge(key, row("C", 4), Precondition.NONE, two)))
                .isEqualTo(new Refused(0, Reason.TOO_MANY_COLUMNS));
        assertThat(properties(read(key).orElseThrow())).containsOnlyKeys("A", "B");
    }

    @Test
    void a_merge_past_the_size_limit_is_refused() {
        committed(put(key, row("A", "x".repeat(100))));
        // 4 + 2 x 2 for the keys, and for each property 8 + 2 x 1 + (2 x 100 + 4).
        Write.RowLimits justBoth = new Write.RowLimits(252, 2, 8 + 2 * 214);
        Write.RowLimits oneLess = new Write.RowLimits(252, 2, 8 + 2 * 214 - 1);
        assertThat(commit(new Write.Merge(key, row("B", "y".repeat(100)), Precondition.NONE, oneLess)))
                .isEqualTo(new Refused(0, Reason.ROW_TOO_LARGE));
        assertThat(properties(read(key).orElseThrow())).containsOnlyKeys("A");
        committed(new Write.Merge(key, row("B", "y".repeat(100)), Precondition.NONE, justBoth));
    }

    @Test
    void the_limits_hold_too_for_a_merge_that_makes_the_row() {
        assertThat(commit(new Write.Merge(
                        key, row("A", 1, "B", 2), Precondition.NONE, new Write.RowLimits(1, 2, 1 << 20))))
                .isEqualTo(new Refused(0, Reason.TOO_MANY_COLUMNS));
        assertThat(read(key)).isEmpty();
    }

    @Test
    void a_merge_whose_precondition_fails_says_so_even_if_it_would_be_too_large() {
        committed(put(key, row("A", 1)));
        assertThat(commit(new Write.Merge(
                        key, row("B", 2), Precondition.versionEquals(1), new Write.RowLimits(1, 2, 1 << 20))))
                .isEqualTo(new Refused(0, Reason.VERSION_DIFFERS));
    }

    @Test
    void a_deleted_row_is_gone_and_can_be_inserted_again() {
        committed(put(key, row("A", 1)));
        committed(delete(key));
        assertThat(read(key)).isEmpty();
        committed(insert(key, row("B", 2)));
        assertThat(properties(read(key).orElseThrow())).containsOnlyKeys("B");
    }

    @Test
    void deleting_a_row_that_is_not_there_without_a_precondition_succeeds() {
        committed(delete(key));
    }

    @Test
    void every_row_of_a_commit_carries_the_version_it_answers() {
        long version = committed(put(key("p", "a"), row()), merge(key("p", "b"), row()), insert(key("p", "c"), row()));
        for (String rowKey : List.of("a", "b", "c")) {
            assertThat(read(key("p", rowKey)).map(Rows::version)).hasValue(version);
        }
    }

    @Test
    void a_failed_precondition_names_the_first_failing_write_and_applies_nothing() {
        committed(put(key("p", "there"), row("N", 1)));
        CommitResult result = commit(
                put(key("p", "new"), row()),
                delete(key("p", "there")),
                new Write.Put(key("p", "missing"), row(), Precondition.PRESENT),
                new Write.Put(key("p", "missing too"), row(), Precondition.PRESENT));
        assertThat(result).isEqualTo(new Refused(2, Reason.ROW_MISSING));
        assertThat(keys(scan(wholeCollection()))).containsExactly(key("p", "there"));
    }

    @Test
    void a_commit_holds_a_hundred_writes() {
        Write[] writes = new Write[Commit.WRITES_MAX];
        for (int i = 0; i < writes.length; i++) {
            writes[i] = insert(key("p", "r" + i), row("N", i));
        }
        committed(writes);
        assertThat(scan(wholeCollection()).size()).isEqualTo(Commit.WRITES_MAX);
    }

    @Test
    void a_commit_that_writes_a_row_twice_is_a_bad_argument() {
        Assertions.assertThatThrownBy(() -> commitOf(put(key, row()), delete(key)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void versions_follow_the_clock_in_ticks() {
        assertThat(committed(put(key, row()))).isEqualTo(Ticks.of(clock.instant()));
        clock.move(Duration.ofSeconds(1));
        assertThat(committed(put(key, row()))).isEqualTo(Ticks.of(clock.instant()));
    }

    @Test
    void versions_grow_while_the_clock_stands_still_or_goes_backwards() {
        long first = committed(put(key, row()));
        long second = committed(put(key, row()));
        clock.move(Duration.ofDays(-1));
        long third = committed(put(key, row()));
        assertThat(second).isGreaterThan(first);
        assertThat(third).isGreaterThan(second);
    }

    @Test
    void a_refused_commit_uses_no_version() {
        long first = committed(put(key, row()));
        assertThat(commit(new Write.Put(key, row(), Precondition.ABSENT))).isEqualTo(new Refused(0, Reason.ROW_EXISTS));
        assertThat(committed(put(key, row()))).isEqualTo(first + 1);
    }

    @Test
    void a_version_never_comes_back_with_a_deleted_row() {
        long first = committed(put(key, row()));
        committed(delete(key));
        clock.move(Duration.ofDays(-1));
        assertThat(committed(insert(key, row()))).isGreaterThan(first);
    }

    @Test
    void a_commit_sees_every_earlier_one_whose_answer_nobody_waited_for() {
        engine.commit(commitOf(insert(key, row("N", 1))));
        engine.commit(commitOf(merge(key, row("M", 2))));
        engine.commit(commitOf(delete(key)));
        engine.commit(commitOf(merge(key, row("L", 3))));
        assertThat(commit(insert(key, row()))).isEqualTo(new Refused(0, Reason.ROW_EXISTS));
        assertThat(properties(read(key).orElseThrow())).containsOnlyKeys("L");
    }

    @Test
    void one_of_many_writers_racing_on_a_version_wins() throws Exception {
        long version = committed(put(key, row("N", -1)));
        List<CommitResult> results =
                race(i -> commit(new Write.Put(key, row("N", i), Precondition.versionEquals(version))));
        assertThat(results).filteredOn(CommitResult.Committed.class::isInstance).hasSize(1);
        assertThat(results)
                .filteredOn(Refused.class::isInstance)
                .hasSize(WRITERS - 1)
                .containsOnly(new Refused(0, Reason.VERSION_DIFFERS));
    }

    @Test
    void one_of_many_writers_racing_to_insert_a_row_wins() throws Exception {
        List<CommitResult> results = race(i -> commit(insert(key("p", "own " + i), row()), insert(key, row("N", i))));
        assertThat(results).filteredOn(CommitResult.Committed.class::isInstance).hasSize(1);
        assertThat(results).filteredOn(Refused.class::isInstance).containsOnly(new Refused(1, Reason.ROW_EXISTS));
        assertThat(scan(wholeCollection()).size()).isEqualTo(2);
    }

    @Test
    void columns_merged_by_many_writers_at_once_are_all_kept() throws Exception {
        List<CommitResult> results = race(i -> commit(merge(key, row("C" + i, i))));
        assertThat(properties(read(key).orElseThrow())).hasSize(WRITERS);
        Set<CommitResult> distinct = new HashSet<>(results);
        assertThat(distinct)
                .as("every commit of a partition has its own version")
                .hasSize(WRITERS);
    }

    private interface Writer {
        CommitResult write(int number);
    }

    private static List<CommitResult> race(Writer writer) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<CommitResult>> answers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int number = i;
                answers.add(threads.submit(() -> {
                    start.await();
                    return writer.write(number);
                }));
            }
            start.countDown();
            List<CommitResult> results = new ArrayList<>();
            for (Future<CommitResult> answer : answers) {
                results.add(answer.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
