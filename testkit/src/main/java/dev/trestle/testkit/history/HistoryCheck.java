package dev.trestle.testkit.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks whether a history of one partition is linearizable: whether its operations have a sequential order that
 * explains all outcomes and respects real time, so that an operation that returned comes before those invoked
 * later. The whole partition is one object, so a partly visible transaction has no such order.
 *
 * <p>The algorithm is the search of Wing and Gong ("Testing and Verifying Concurrent Objects", 1993) with the
 * memoization of Lowe ("Testing for linearizability", 2017): choose operations that may come next, backtrack if
 * none fits, and never visit a configuration of chosen operations and state twice. Two heuristics shorten the
 * search. An operation that fits and changes nothing is chosen at once, since it would fit no better later.
 * Changes are tried in the order of their versions, which is the right order in a linearizable history; the check
 * does not require this order.
 *
 * <p>A change with an unknown outcome may take effect at any time from its invocation on, or never. If another
 * operation saw its columns, it did take effect, with the version that was seen. So every change must write unique
 * values.
 */
public final class HistoryCheck {
    /** More than any history of reasonable length needs. */
    private static final int CONFIGURATIONS_MAX = 2_000_000;

    private static final int CHANGES_SHOWN = 6;

    /** In place of a version that no operation saw. */
    private static final String UNSEEN = "unseen version of #";

    private static final String NO_VERSION = Character.toString(Character.MAX_VALUE);

    private final List<Operation> operations;
    private final Map<Written, String> versionsSeen = new HashMap<>();
    private final BitSet certain = new BitSet();
    private final Set<Configuration> visited = new HashSet<>();
    private final Deque<Step> path = new ArrayDeque<>();
    private final List<Integer> takenFirst = new ArrayList<>();
    private final BitSet taken = new BitSet();
    private Map<String, Outcome.Row> state = new TreeMap<>();
    private int firstOpen;
    private Optional<Stuck> deepest = Optional.empty();

    private HistoryCheck(List<Operation> history) {
        operations = history.stream()
                .filter(operation -> !(operation.isUnknown() && operation.changesNothing()))
                .sorted(Comparator.comparingLong(Operation::invoked))
                .toList();
        for (Operation operation : operations) {
            if (operation.outcome() instanceof Outcome.Seen seen) {
                seen.rows()
                        .forEach((row, content) ->
                                versionsSeen.put(new Written(row, content.columns()), content.version()));
            }
        }
        for (int index = 0; index < operations.size(); index++) {
            certain.set(index, !operations.get(index).isUnknown() || wasSeen(operations.get(index)));
        }
    }

    /** Whether another operation saw the values that only this operation writes. */
    private boolean wasSeen(Operation operation) {
        return operation.call() instanceof Call.Commit commit
                && commit.changes().stream()
                        .filter(change -> change.kind() != Call.Kind.DELETE)
                        .anyMatch(change -> versionsSeen.keySet().stream()
                                .anyMatch(seen -> seen.row.equals(change.row())
                                        && seen.columns
                                                .entrySet()
                                                .containsAll(change.columns().entrySet())));
    }

    /** The state of a row after a change. */
    private record Written(String row, Map<String, String> columns) {}

    /** Why no order explains the operations, or empty when one does. */
    public static Optional<String> violation(List<Operation> history) {
        HistoryCheck check = new HistoryCheck(history);
        Optional<Stuck> stuck = check.search();
        if (check.isUndecided()) {
            throw new IllegalStateException("the history is too long or too tangled to be judged");
        }
        return stuck.map(found -> shrunk(history, found).explain());
    }

    private boolean isUndecided() {
        return visited.size() > CONFIGURATIONS_MAX;
    }

    /**
     * Minimizes a violation: removing an operation that changes nothing never makes a linearizable history
     * invalid.
     */
    private static Stuck shrunk(List<Operation> history, Stuck found) {
        List<Operation> left = new ArrayList<>(history);
        Stuck stuck = found;
        List<Operation> idle = new ArrayList<>(
                history.stream().filter(Operation::changesNothing).toList());
        for (int size = idle.size(); size > 0; size /= 2) {
            for (int from = 0; from < idle.size(); ) {
                List<Operation> part = idle.subList(from, Math.min(idle.size(), from + size));
                List<Operation> without = new ArrayList<>(left);
                without.removeAll(new HashSet<>(part));
                HistoryCheck check = new HistoryCheck(without);
                Optional<Stuck> still = check.search();
                if (still.isPresent() && !check.isUndecided()) {
                    stuck = still.get();
                    left = without;
                    part.clear();
                } else {
                    from += size;
                }
            }
        }
        return stuck;
    }

    /** A state of the search. All operations before {@code firstOpen} are chosen. */
    private record Configuration(int firstOpen, BitSet takenBehind, Map<String, Outcome.Row> state) {}

    /** A chosen change, the operations that were chosen with it, and the state to backtrack to. */
    private static final class Step {
        private final Map<String, Outcome.Row> stateBefore;
        private final int firstOpenBefore;
        private final List<Integer> candidates;
        private final List<Integer> takenHere = new ArrayList<>();
        private int next;

        Step(Map<String, Outcome.Row> stateBefore, int firstOpenBefore, List<Integer> candidates) {
            this.stateBefore = stateBefore;
            this.firstOpenBefore = firstOpenBefore;
            this.candidates = candidates;
        }
    }

    /** Where the search came furthest. */
    private record Stuck(
            int depth, int count, List<Operation> order, Map<String, Outcome.Row> state, List<Operation> open) {
        String explain() {
            List<Operation> changes = order.stream()
                    .filter(operation -> !operation.changesNothing())
                    .toList();
            StringBuilder text = new StringBuilder("no order of the operations explains what was seen.\nOf ")
                    .append(count)
                    .append(" that matter, ")
                    .append(order.size())
                    .append(" can be put in order, the last changes among them being");
            changes.subList(Math.max(0, changes.size() - CHANGES_SHOWN), changes.size())
                    .forEach(operation -> text.append("\n  ").append(operation));
            text.append(changes.isEmpty() ? " none" : "")
                    .append("\nThen the rows are\n  ")
                    .append(state)
                    .append("\nand one of these has to come next, but cannot");
            open.forEach(operation -> text.append("\n  ")
                    .append(operation)
                    .append(": ")
                    .append(apply(state, operation, Map.of()).trouble()));
            return text.toString();
        }
    }

    private Optional<Stuck> search() {
        Optional<List<Integer>> candidates = settle(takenFirst);
        while (candidates.isPresent()) {
            path.push(new Step(state, firstOpen, candidates.get()));
            while (!advance()) {
                path.pop();
                if (path.isEmpty() || isUndecided()) {
                    return deepest;
                }
            }
            candidates = settle(path.element().takenHere);
        }
        return Optional.empty();
    }

    /** Takes the next operation that fits at the last step, if there is one. */
    private boolean advance() {
        Step step = path.element();
        step.takenHere.forEach(taken::clear);
        step.takenHere.clear();
        firstOpen = step.firstOpenBefore;
        while (step.next < step.candidates.size()) {
            int index = step.candidates.get(step.next++);
            Applied applied = apply(step.stateBefore, operations.get(index), versionsSeen);
            if (applied.state().isPresent()) {
                state = applied.state().get();
                taken.set(index);
                step.takenHere.add(index);
                return true;
            }
        }
        return false;
    }

    /**
     * Chooses all operations that fit and change nothing, and records them.
     *
     * @return the operations to try next; empty if all are explained
     */
    private Optional<List<Integer>> settle(List<Integer> takenHere) {
        List<Integer> window = window();
        boolean more = true;
        while (more) {
            more = false;
            for (int index : window) {
                Operation operation = operations.get(index);
                boolean over = operation.isUnknown() && isOver(operation);
                if (over && certain.get(index)) {
                    return Optional.of(List.of());
                }
                boolean idle = operation.changesNothing()
                        && endsNothing(operation, window)
                        && apply(state, operation, versionsSeen).state().isPresent();
                if (idle || over) {
                    taken.set(index);
                    takenHere.add(index);
                    more = true;
                }
            }
            if (more) {
                window = window();
            }
        }
        if (window.stream().allMatch(index -> operations.get(index).isUnknown())) {
            return Optional.empty();
        }
        if (!visited.add(new Configuration(firstOpen, taken.get(firstOpen, operations.size()), state))) {
            return Optional.of(List.of());
        }
        noteDepth(window);
        List<Integer> open = window;
        return Optional.of(open.stream()
                .filter(index -> !operations.get(index).changesNothing() || !endsNothing(operations.get(index), open))
                .sorted(Comparator.comparing((Integer index) -> !certain.get(index))
                        .thenComparing(index -> operations.get(index).changesNothing())
                        .thenComparing(index -> version(operations.get(index))))
                .toList());
    }

    /** Whether no unanswered operation would lose its last chance to come before this one. */
    private boolean endsNothing(Operation operation, List<Integer> window) {
        return window.stream()
                .map(operations::get)
                .noneMatch(open -> open.isUnknown() && open.returned() < operation.invoked());
    }

    /**
     * Returns the operations that may come next: those invoked before the first return of one that is not chosen.
     */
    private List<Integer> window() {
        firstOpen = taken.nextClearBit(firstOpen);
        List<Integer> window = new ArrayList<>();
        long end = Long.MAX_VALUE;
        for (int index = firstOpen;
                index < operations.size() && operations.get(index).invoked() <= end;
                index = taken.nextClearBit(index + 1)) {
            Operation operation = operations.get(index);
            window.add(index);
            if (!operation.isUnknown()) {
                end = Math.min(end, operation.returned());
            }
        }
        return window;
    }

    /** Whether the time is over in which an unanswered operation can have taken effect. */
    private boolean isOver(Operation operation) {
        int last = taken.length() - 1;
        return last >= 0 && operations.get(last).invoked() > operation.returned();
    }

    /** A text that sorts changes in the order to try; those without a version come last. */
    private static String version(Operation operation) {
        return operation.outcome() instanceof Outcome.Committed committed
                ? committed.versions().stream()
                        .filter(version -> !version.isEmpty())
                        .findFirst()
                        .orElse(NO_VERSION)
                : NO_VERSION;
    }

    private void noteDepth(List<Integer> window) {
        int depth = taken.cardinality();
        if (deepest.isEmpty() || depth > deepest.get().depth()) {
            List<Operation> order =
                    new ArrayList<>(takenFirst.stream().map(operations::get).toList());
            path.descendingIterator()
                    .forEachRemaining(step -> step.takenHere.forEach(index -> order.add(operations.get(index))));
            deepest = Optional.of(new Stuck(
                    depth,
                    operations.size(),
                    order,
                    state,
                    window.stream().map(operations::get).toList()));
        }
    }

    /** The state after an operation, or why it cannot be there. */
    private record Applied(Optional<Map<String, Outcome.Row>> state, String trouble) {
        static Applied cannot(String trouble) {
            return new Applied(Optional.empty(), trouble);
        }
    }

    private static Applied apply(
            Map<String, Outcome.Row> state, Operation operation, Map<Written, String> versionsSeen) {
        Outcome outcome = operation.outcome();
        if (operation.call() instanceof Call.Read read) {
            Map<String, Outcome.Row> there = new TreeMap<>(state);
            there.keySet().retainAll(Set.of(read.row()));
            return outcome.equals(new Outcome.Seen(there))
                    ? new Applied(Optional.of(state), "")
                    : Applied.cannot("the row is " + there);
        }
        if (operation.call() instanceof Call.Scan) {
            return outcome.equals(new Outcome.Seen(state))
                    ? new Applied(Optional.of(state), "")
                    : Applied.cannot("the rows are not these");
        }
        if (operation.call() instanceof Call.Commit commit) {
            return apply(state, operation, commit, versionsSeen);
        }
        throw new AssertionError(operation);
    }

    private static Applied apply(
            Map<String, Outcome.Row> state,
            Operation operation,
            Call.Commit commit,
            Map<Written, String> versionsSeen) {
        Outcome outcome = operation.outcome();
        Map<String, Outcome.Row> after = new TreeMap<>(state);
        for (int i = 0; i < commit.changes().size(); i++) {
            Call.Change change = commit.changes().get(i);
            Optional<Outcome.Row> before = Optional.ofNullable(state.get(change.row()));
            Optional<Outcome.Reason> refusal = change.condition().check(before.map(Outcome.Row::version));
            if (refusal.isPresent()) {
                Outcome.Refused expected = new Outcome.Refused(i, refusal.get());
                return outcome.equals(expected)
                        ? new Applied(Optional.of(state), "")
                        : Applied.cannot("it would be " + expected);
            }
            Optional<Map<String, String>> columns = change.applyTo(before.map(Outcome.Row::columns));
            after.remove(change.row());
            if (columns.isPresent()) {
                String version = outcome instanceof Outcome.Committed committed
                        ? committed.versions().get(i)
                        : Optional.ofNullable(versionsSeen.get(new Written(change.row(), columns.get())))
                                .orElse(UNSEEN + operation.id());
                after.put(change.row(), new Outcome.Row(version, columns.get()));
            }
        }
        return outcome instanceof Outcome.Refused
                ? Applied.cannot("nothing stands against it")
                : new Applied(Optional.of(after), "it could, but then nothing explains the rest");
    }
}
