package dev.trestle.table;

import dev.trestle.engine.RowPage;
import dev.trestle.plan.QueryPlan;
import dev.trestle.table.EntityQuery.Continuation;
import java.util.Optional;

/** One page of entities, still encoded, with the plan of its query. */
public record EntityPage(RowPage rows, Optional<Continuation> next, QueryPlan plan) implements AutoCloseable {
    @Override
    public void close() {
        rows.close();
    }
}
