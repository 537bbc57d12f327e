package dev.trestle.patterns;

import dev.trestle.patterns.query.AccessPath;
import dev.trestle.patterns.query.Filter;

/**
 * The options common to blocking and non-blocking queries. Immutable: each option returns a new query.
 *
 * @param <Q> the type of the query
 */
public abstract sealed class QueryBuilder<R, Q> permits Query, AsyncQuery {
    final QuerySpec<R> spec;

    QueryBuilder(QuerySpec<R> spec) {
        this.spec = spec;
    }

    abstract Q with(QuerySpec<R> other);

    /** Adds a filter that results have to match as well. */
    public Q where(Filter filter) {
        return with(spec.filter(filter));
    }

    /** Limits the number of results over all pages. */
    public Q limit(long most) {
        return with(spec.limit(most));
    }

    /** Limits the number of results per request, 1 to 1000; does not change the results of the query. */
    public Q pageSize(int size) {
        return with(spec.pageSize(size));
    }

    /** Allows a scan of the whole table; otherwise such a query throws a {@link TableScanException}. */
    public Q allowTableScan() {
        return with(spec.allowTableScan());
    }

    /** Returns the access path that the service uses: point, range, partition scan or table scan. */
    public AccessPath accessPath() {
        return spec.accessPath();
    }

    /** Returns the OData filter that is sent. */
    public String filter() {
        return spec.rendered();
    }
}
