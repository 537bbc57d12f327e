package dev.trestle.table;

import dev.trestle.filter.Filter;
import dev.trestle.model.Limits;
import java.util.List;
import java.util.Optional;

/**
 * A query on the entities of a table.
 *
 * @param scope the entities that the caller is authorized to read
 * @param select the properties to return; empty for all
 * @param top the maximum number of entities in a page
 * @param from the first entity of the page; empty for the first page
 * @param bytes the maximum size of a page
 */
public record EntityQuery(
        Filter filter, Filter scope, List<String> select, int top, Optional<Continuation> from, int bytes) {

    /** Creates a query with pages of the maximum size. */
    public EntityQuery(Filter filter, Filter scope, List<String> select, int top, Optional<Continuation> from) {
        this(filter, scope, select, top, from, Limits.PAGE_BYTES_MAX);
    }

    public EntityQuery {
        select = List.copyOf(select);
        if (top < 0 || top > Limits.PAGE_ROWS_MAX) {
            throw new IllegalArgumentException("a page has 0 to " + Limits.PAGE_ROWS_MAX + " entities");
        }
    }

    /** The position of the next page: an entity, or the start of a partition if there is no row key. */
    public record Continuation(String partitionKey, Optional<String> rowKey) {}
}
