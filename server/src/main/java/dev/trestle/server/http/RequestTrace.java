package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.plan.QueryPlan;
import dev.trestle.table.EntityPage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What becomes known of a request while it is served, for those who watch. Written by whichever thread serves it. Where
 * the answer was a time-out, what comes late may still be written while this is read: a summary then misses it, or not.
 */
final class RequestTrace {
    private OperationName operation = OperationName.UNKNOWN;
    private @Nullable String resource;
    private @Nullable QueryPlan plan;
    private @Nullable StorageError error;
    private long rowsExamined;
    private long rowsReturned;

    /** What the request is for. The first to say so counts: a query within a batch is a part of the batch. */
    void begin(OperationName name) {
        if (operation == OperationName.UNKNOWN) {
            operation = name;
        }
    }

    void begin(OperationName name, String on) {
        begin(name);
        resource = on;
    }

    /** The name of the table or queue it is about. */
    void resource(String name) {
        resource = name;
    }

    void page(EntityPage page) {
        plan = page.plan();
        rowsExamined = page.rows().examined();
        rowsReturned = page.rows().size();
    }

    /** The error that was answered, for the whole or within a batch. */
    void failed(StorageError answered) {
        error = answered;
    }

    OperationName operation() {
        return operation;
    }

    Optional<String> resource() {
        return Optional.ofNullable(resource);
    }

    Optional<QueryPlan> plan() {
        return Optional.ofNullable(plan);
    }

    Optional<StorageError> error() {
        return Optional.ofNullable(error);
    }

    long rowsExamined() {
        return rowsExamined;
    }

    long rowsReturned() {
        return rowsReturned;
    }
}
