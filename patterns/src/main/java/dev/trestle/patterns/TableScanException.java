package dev.trestle.patterns;

/** Thrown when a query would scan its whole table without {@link QueryBuilder#allowTableScan}. Nothing was sent. */
public final class TableScanException extends RuntimeException {
    TableScanException(String filter) {
        super("The query (" + (filter.isEmpty() ? "everything" : filter)
                + ") would scan the whole table because it has no"
                + " partition key: add one, use a secondary index or index entities, or call allowTableScan()");
    }
}
