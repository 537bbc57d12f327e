package dev.trestle.table;

import dev.trestle.filter.Filter;
import dev.trestle.model.Limits;
import java.util.List;
import java.util.Optional;

/**
 * What a query asks for.
 *
 * @param scope the entities the caller may see at all
 * @param select the properties the caller wants, all when empty
 * @param top entities in a page, at most
 * @param from where the page before left off
 * @param bytes how large a page may be, at most
 */
public record EntityQuery(
        Filter filter, Filter scope, List<String> select, int top, Optional<Continuation> from, int bytes) {

    /** A query whose pages are as large as they may ever be. */
    public EntityQuery(Filter filter, Filter scope, List<String> select, int top, Optional<Continuation> from) {
        this(filter, scope, select, top, from, Limits.PAGE_BYTES_MAX);
    }

    public EntityQuery {
        select = List.copyOf(select);
        if (top < 0 || top > Limits.PAGE_ROWS_MAX) {
            throw new IllegalArgumentException("a page has 0 to " + Limits.PAGE_ROWS_MAX + " entities");
        }
    }

    /** The first entity of the next page, or the start of a partition when there is no row key. */
    public record Continuation(String partitionKey, Optional<String> rowKey) {}
}
