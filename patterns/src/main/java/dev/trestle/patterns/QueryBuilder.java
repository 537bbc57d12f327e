package dev.trestle.patterns;

import dev.trestle.patterns.query.AccessPath;
import dev.trestle.patterns.query.Filter;

/**
 * What can be said about any query. Each method returns a new query and leaves this one as it was.
 *
 * @param <Q> the kind of query
 */
public abstract sealed class QueryBuilder<R, Q> permits Query, AsyncQuery {
    final QuerySpec<R> spec;

    QueryBuilder(QuerySpec<R> spec) {
        this.spec = spec;
    }

    abstract Q with(QuerySpec<R> other);

    /** Only what fulfils this too. */
    public Q where(Filter filter) {
        return with(spec.filter(filter));
    }

    /** So many results at most, over all pages. */
    public Q limit(long most) {
        return with(spec.limit(most));
    }

    /** So many results at most in each request; changes what a request costs and never what comes of the query. */
    public Q pageSize(int size) {
        return with(spec.pageSize(size));
    }

    /** Lets the query look at every partition of the table, which without this it refuses to do. */
    public Q allowTableScan() {
        return with(spec.allowTableScan());
    }

    /** Which way the service takes to answer. */
    public AccessPath accessPath() {
        return spec.accessPath();
    }

    /** The filter as it is sent. */
    public String filter() {
        return spec.rendered();
    }
}
