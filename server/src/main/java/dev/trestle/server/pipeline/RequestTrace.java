package dev.trestle.server.pipeline;

import dev.trestle.model.StorageError;
import dev.trestle.plan.QueryPlan;
import dev.trestle.table.EntityPage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What becomes known of a request while it is served, for metrics and logs. Written by the thread that serves it. After a
 * time-out was sent, a late result may still be written while this is read: a summary then has it, or not.
 */
public final class RequestTrace {
    private Operation<?, ?> operation = Operation.UNKNOWN;
    private @Nullable String resource;
    private @Nullable QueryPlan plan;
    private @Nullable StorageError error;
    private boolean storeReached;
    private long rowsExamined;
    private long rowsReturned;

    /** Notes the operation. Only the first is kept: a query in a batch is a part of the batch. */
    void begin(Operation<?, ?> begun) {
        if (operation == Operation.UNKNOWN) {
            operation = begun;
        }
    }

    /** Notes the name of the resource. */
    public void resource(String name) {
        resource = name;
    }

    /** From here on failures come from the stored data, not from how the request is written. */
    public void reachStore() {
        storeReached = true;
    }

    public boolean storeReached() {
        return storeReached;
    }

    public void page(EntityPage page) {
        plan = page.plan();
        rowsExamined = page.rows().examined();
        rowsReturned = page.rows().size();
    }

    /** Notes the error of the response, for the whole request or within a batch. */
    public void failed(StorageError sent) {
        error = sent;
    }

    public Operation<?, ?> operation() {
        return operation;
    }

    public Optional<String> resource() {
        return Optional.ofNullable(resource);
    }

    Optional<QueryPlan> plan() {
        return Optional.ofNullable(plan);
    }

    public Optional<StorageError> error() {
        return Optional.ofNullable(error);
    }

    long rowsExamined() {
        return rowsExamined;
    }

    long rowsReturned() {
        return rowsReturned;
    }
}
