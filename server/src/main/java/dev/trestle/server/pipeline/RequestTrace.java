package dev.trestle.server.pipeline;

import dev.trestle.model.StorageError;
import dev.trestle.plan.QueryPlan;
import dev.trestle.table.EntityPage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Facts about a request, collected for metrics and logs while it is processed. Written by the thread that
 * processes it. After a timeout response, a late result may race with the summary, which then may or may not
 * contain it.
 */
public final class RequestTrace {
    private Operation<?, ?> operation = Operation.UNKNOWN;
    private @Nullable String resource;
    private @Nullable QueryPlan plan;
    private @Nullable StorageError error;
    private boolean storeReached;
    private long rowsExamined;
    private long rowsReturned;

    /** Sets the operation. Only the first call has an effect: a query in a batch is part of the batch. */
    void begin(Operation<?, ?> begun) {
        if (operation == Operation.UNKNOWN) {
            operation = begun;
        }
    }

    /** Sets the name of the resource. */
    public void resource(String name) {
        resource = name;
    }

    /** Marks that the request was parsed; later failures depend on stored data. */
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

    /** Sets the error of the response, or of an operation in a batch. */
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
