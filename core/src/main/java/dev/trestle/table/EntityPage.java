package dev.trestle.table;

import dev.trestle.engine.RowPage;
import dev.trestle.plan.QueryPlan;
import dev.trestle.table.EntityQuery.Continuation;
import java.util.Optional;

/** One page of a query's answer, still encoded, and the plan that found it. */
public record EntityPage(RowPage rows, Optional<Continuation> next, QueryPlan plan) implements AutoCloseable {
    @Override
    public void close() {
        rows.close();
    }
}
