package dev.trestle.testkit.history;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** An operation on one partition. */
public sealed interface Call {

    /** The row, if it is there. */
    record Read(String row) implements Call {
        @Override
        public String toString() {
            return "read " + row;
        }
    }

    /** All rows of the partition at one moment. */
    record Scan() implements Call {
        @Override
        public String toString() {
            return "scan";
        }
    }

    /** All changes or none; each row at most once. */
    record Commit(List<Change> changes) implements Call {
        public Commit {
            changes = List.copyOf(changes);
        }

        @Override
        public String toString() {
            return (changes.size() == 1 ? "" : "together ") + changes;
        }
    }

    /** One change of one row. */
    record Change(Kind kind, String row, Condition condition, Map<String, String> columns) {
        public Change {
            columns = Map.copyOf(columns);
        }

        /** The columns after this change, if the row is there then. */
        Optional<Map<String, String>> applyTo(Optional<Map<String, String>> before) {
            if (kind == Kind.DELETE) {
                return Optional.empty();
            }
            Map<String, String> after = new TreeMap<>();
            if (kind == Kind.MERGE) {
                before.ifPresent(after::putAll);
            }
            after.putAll(columns);
            return Optional.of(after);
        }

        @Override
        public String toString() {
            return kind.name().toLowerCase(Locale.ROOT) + " " + row + condition;
        }
    }

    /** How a row is changed. */
    enum Kind {
        PUT,
        MERGE,
        DELETE
    }

    /** The condition on the row. */
    record Condition(Rule rule, String version) {
        public static final Condition NONE = new Condition(Rule.NONE, "");
        public static final Condition ABSENT = new Condition(Rule.ABSENT, "");
        public static final Condition PRESENT = new Condition(Rule.PRESENT, "");

        /** The kinds of conditions; only the last names a version. */
        public enum Rule {
            NONE,
            ABSENT,
            PRESENT,
            VERSION_EQUALS
        }

        public static Condition versionEquals(String version) {
            return new Condition(Rule.VERSION_EQUALS, version);
        }

        /** Why the condition fails for the version that the row has, if it is there; empty when it holds. */
        Optional<Outcome.Reason> check(Optional<String> current) {
            return switch (rule) {
                case NONE -> Optional.empty();
                case ABSENT -> current.map(present -> Outcome.Reason.ROW_EXISTS);
                case PRESENT -> current.isPresent() ? Optional.empty() : Optional.of(Outcome.Reason.ROW_MISSING);
                case VERSION_EQUALS ->
                    current.isEmpty()
                            ? Optional.of(Outcome.Reason.ROW_MISSING)
                            : current.get().equals(version)
                                    ? Optional.empty()
                                    : Optional.of(Outcome.Reason.VERSION_DIFFERS);
            };
        }

        @Override
        public String toString() {
            return switch (rule) {
                case NONE -> "";
                case ABSENT -> " if absent";
                case PRESENT -> " if present";
                case VERSION_EQUALS -> " if at " + version;
            };
        }
    }
}
