package dev.trestle.testkit.history;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The outcome of a call, as its client sees it. */
public sealed interface Outcome {

    /** The rows that a read or a scan found, by their keys. */
    record Seen(Map<String, Row> rows) implements Outcome {
        public Seen {
            rows = new TreeMap<>(rows);
        }

        @Override
        public String toString() {
            return "saw " + rows;
        }
    }

    /** The changes were made and gave their rows these versions; that of a delete does not count. */
    record Committed(List<String> versions) implements Outcome {
        public Committed {
            versions = List.copyOf(versions);
        }

        @Override
        public String toString() {
            return "made " + versions;
        }
    }

    /** None of the changes was made, because of this one. */
    record Refused(int index, Reason reason) implements Outcome {
        @Override
        public String toString() {
            return "refused because of change " + index + ": " + reason;
        }
    }

    /** There was no response, or one that does not tell the outcome. */
    record Unknown() implements Outcome {
        @Override
        public String toString() {
            return "no response";
        }
    }

    /** Why a change is refused. */
    enum Reason {
        ROW_EXISTS,
        ROW_MISSING,
        VERSION_DIFFERS
    }

    /** A row as it was seen. */
    record Row(String version, Map<String, String> columns) {
        public Row {
            columns = new TreeMap<>(columns);
        }

        @Override
        public String toString() {
            return columns + " at " + version;
        }
    }
}
