package dev.trestle.patterns;

/** A query that would look at every partition of its table, and was not allowed to. */
public final class TableScanException extends RuntimeException {
    TableScanException(String filter) {
        super("The query (" + (filter.isEmpty() ? "everything" : filter)
                + ") would scan the whole table, since it gives no"
                + " partition key: give one, keep a secondary index or index entities, or say allowTableScan()");
    }
}
