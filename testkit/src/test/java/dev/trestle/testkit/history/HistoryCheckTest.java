package dev.trestle.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.testkit.history.Call.Change;
import dev.trestle.testkit.history.Call.Condition;
import dev.trestle.testkit.history.Call.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HistoryCheckTest {
    private final List<Operation> history = new ArrayList<>();

    // Good histories.

    @Test
    void operations_one_after_the_other_with_the_outcomes_they_should_have_are_explained() {
        at(0, 1, read("a"), saw());
        at(2, 3, put("a", Condition.ABSENT, "x"), made("1"));
        at(4, 5, put("a", Condition.ABSENT, "y"), refused(0, Outcome.Reason.ROW_EXISTS));
        at(6, 7, merge("a", Condition.versionEquals("1"), "z"), made("2"));
        at(8, 9, read("a"), saw("a", "2", "xz"));
        at(10, 11, put("a", Condition.versionEquals("1"), "q"), refused(0, Outcome.Reason.VERSION_DIFFERS));
        at(12, 13, delete("a", Condition.PRESENT), made("3"));
        at(14, 15, delete("a", Condition.PRESENT), refused(0, Outcome.Reason.ROW_MISSING));
        at(16, 17, new Call.Scan(), saw());
        assertExplained();
    }

    @Test
    void operations_at_the_same_time_may_have_happened_in_any_order() {
        at(0, 9, put("a", Condition.NONE, "x"), made("2"));
        at(1, 8, put("a", Condition.NONE, "y"), made("1"));
        at(2, 3, read("a"), saw());
        at(4, 5, read("a"), saw("a", "1", "y"));
        at(10, 11, read("a"), saw("a", "2", "x"));
        assertExplained();
    }

    @Test
    void versions_need_not_grow_to_be_explained() {
        at(0, 9, put("a", Condition.NONE, "x"), made("1"));
        at(1, 8, put("a", Condition.NONE, "y"), made("2"));
        at(10, 11, read("a"), saw("a", "1", "x"));
        assertExplained();
    }

    @Test
    void an_unanswered_change_may_take_effect_late_or_never() {
        at(0, 1, put("a", Condition.NONE, "x"), made("1"));
        unanswered(2, Operation.NEVER, put("a", Condition.NONE, "y"));
        unanswered(2, Operation.NEVER, put("a", Condition.NONE, "never"));
        unanswered(2, Operation.NEVER, new Call.Read("a"));
        at(3, 4, read("a"), saw("a", "1", "x"));
        at(5, 6, read("a"), saw("a", "2", "y"));
        at(7, 8, put("a", Condition.versionEquals("2"), "z"), made("3"));
        assertExplained();
    }

    @Test
    void an_unanswered_change_that_took_effect_in_time_can_be_seen_much_later() {
        unanswered(0, 10, together(put("a", Condition.NONE, "x"), put("b", Condition.NONE, "x")));
        at(20, 21, read("c"), saw());
        at(22, 23, new Call.Scan(), saw("a", "1", "x", "b", "1", "x"));
        assertExplained();
    }

    @Test
    void an_unanswered_delete_explains_what_is_gone() {
        at(0, 1, put("a", Condition.NONE, "x"), made("1"));
        unanswered(2, 10, delete("a", Condition.versionEquals("1")));
        at(20, 21, put("a", Condition.PRESENT, "y"), refused(0, Outcome.Reason.ROW_MISSING));
        assertExplained();
    }

    // Bad ones.

    @Test
    void a_lost_update_is_found() {
        at(0, 1, put("a", Condition.NONE, "0"), made("1"));
        at(2, 6, put("a", Condition.versionEquals("1"), "x"), made("2"));
        at(3, 7, put("a", Condition.versionEquals("1"), "y"), made("3"));
        assertViolation("refused because of change 0: VERSION_DIFFERS");
    }

    @Test
    void a_stale_read_is_found_and_told_without_the_reads_around_it() {
        at(0, 1, put("a", Condition.NONE, "x"), made("1"));
        at(2, 3, put("a", Condition.NONE, "y"), made("2"));
        for (int i = 0; i < 20; i++) {
            at(4, 5, read("a"), saw("a", "2", "y"));
        }
        at(6, 7, read("a"), saw("a", "1", "x"));
        at(8, 9, read("a"), saw("a", "2", "y"));
        assertViolation(
                "Of 3 that matter, 2 can be put in order", "read a -> saw {a={x=x} at 1}: the row is {a={y=y} at 2}");
    }

    @Test
    void a_value_read_before_it_was_written_is_found() {
        at(0, 1, read("a"), saw("a", "1", "x"));
        at(2, 3, put("a", Condition.NONE, "x"), made("1"));
        assertViolation("read a");
    }

    @Test
    void a_transaction_seen_in_part_is_found() {
        at(0, 1, together(put("a", Condition.NONE, "x"), put("b", Condition.NONE, "x")), made("1", "1"));
        at(2, 9, together(put("a", Condition.NONE, "y"), put("b", Condition.NONE, "y")), made("2", "2"));
        at(3, 4, new Call.Scan(), saw("a", "2", "y", "b", "1", "x"));
        assertViolation("scan");
    }

    @Test
    void a_transaction_seen_in_part_by_two_reads_is_found() {
        at(0, 9, together(put("a", Condition.NONE, "y"), put("b", Condition.NONE, "y")), made("2", "2"));
        at(1, 2, read("a"), saw("a", "2", "y"));
        at(3, 4, read("b"), saw());
        assertViolation("read b");
    }

    @Test
    void an_unanswered_transaction_that_is_there_in_part_is_found() {
        unanswered(0, 10, together(put("a", Condition.NONE, "x"), put("b", Condition.NONE, "x")));
        at(20, 21, new Call.Scan(), saw("a", "1", "x"));
        assertViolation("no response");
    }

    @Test
    void a_deleted_row_that_comes_back_is_found() {
        at(0, 1, put("a", Condition.NONE, "x"), made("1"));
        at(2, 3, delete("a", Condition.PRESENT), made("2"));
        at(4, 5, read("a"), saw());
        at(6, 7, read("a"), saw("a", "1", "x"));
        assertViolation("read a");
    }

    @Test
    void an_acknowledged_change_that_is_gone_is_found() {
        at(0, 1, put("a", Condition.NONE, "x"), made("1"));
        at(2, 3, put("a", Condition.versionEquals("1"), "y"), made("2"));
        at(4, 5, new Call.Scan(), saw("a", "1", "x"));
        assertViolation("scan");
    }

    @Test
    void a_refusal_without_a_reason_is_found() {
        at(0, 1, put("a", Condition.NONE, "x"), made("1"));
        at(2, 3, put("a", Condition.versionEquals("1"), "y"), refused(0, Outcome.Reason.VERSION_DIFFERS));
        assertViolation("nothing stands against it");
    }

    @Test
    void a_refusal_with_the_wrong_reason_is_found() {
        at(0, 1, put("a", Condition.PRESENT, "x"), refused(0, Outcome.Reason.VERSION_DIFFERS));
        assertViolation("it would be refused because of change 0: ROW_MISSING");
    }

    @Test
    void two_inserts_that_both_win_are_found() {
        at(0, 5, put("a", Condition.ABSENT, "x"), made("1"));
        at(1, 6, put("a", Condition.ABSENT, "y"), made("2"));
        assertViolation("ROW_EXISTS");
    }

    @Test
    void a_merge_that_dropped_a_column_is_found() {
        at(0, 1, put("a", Condition.NONE, "x"), made("1"));
        at(2, 3, merge("a", Condition.NONE, "y"), made("2"));
        at(4, 5, read("a"), saw("a", "2", "y"));
        assertViolation("read a");
    }

    @Test
    void an_unanswered_change_that_takes_effect_after_its_time_is_found() {
        at(0, 1, put("a", Condition.NONE, "x"), made("1"));
        unanswered(2, 10, put("a", Condition.NONE, "y"));
        at(20, 21, read("a"), saw("a", "1", "x"));
        at(22, 23, read("a"), saw("a", "2", "y"));
        assertViolation("read a");
    }

    private void assertExplained() {
        assertThat(HistoryCheck.violation(history)).isEmpty();
    }

    private void assertViolation(String... words) {
        assertThat(HistoryCheck.violation(history))
                .hasValueSatisfying(text -> assertThat(text).contains(words));
    }

    private void at(long invoked, long returned, Call call, Outcome outcome) {
        history.add(new Operation(history.size(), 0, call, outcome, invoked, returned));
    }

    private void unanswered(long invoked, long until, Call call) {
        at(invoked, until, call, new Outcome.Unknown());
    }

    private static Call read(String row) {
        return new Call.Read(row);
    }

    /** Writes a column of the same name as its value; so merged columns show as several letters. */
    private static Call.Commit put(String row, Condition condition, String value) {
        return new Call.Commit(List.of(new Change(Kind.PUT, row, condition, columns(value))));
    }

    private static Call.Commit merge(String row, Condition condition, String value) {
        return new Call.Commit(List.of(new Change(Kind.MERGE, row, condition, columns(value))));
    }

    private static Call.Commit delete(String row, Condition condition) {
        return new Call.Commit(List.of(new Change(Kind.DELETE, row, condition, Map.of())));
    }

    private static Call together(Call.Commit... commits) {
        return new Call.Commit(Arrays.stream(commits)
                .flatMap(commit -> commit.changes().stream())
                .toList());
    }

    private static Map<String, String> columns(String letters) {
        Map<String, String> columns = new TreeMap<>();
        letters.chars().mapToObj(Character::toString).forEach(letter -> columns.put(letter, letter));
        return columns;
    }

    private static Outcome made(String... versions) {
        return new Outcome.Committed(List.of(versions));
    }

    private static Outcome refused(int index, Outcome.Reason reason) {
        return new Outcome.Refused(index, reason);
    }

    /** Rows, each as its key, its version and its columns. */
    private static Outcome saw(String... parts) {
        Map<String, Outcome.Row> rows = new TreeMap<>();
        for (int i = 0; i < parts.length; i += 3) {
            rows.put(parts[i], new Outcome.Row(parts[i + 1], columns(parts[i + 2])));
        }
        return new Outcome.Seen(rows);
    }
}
