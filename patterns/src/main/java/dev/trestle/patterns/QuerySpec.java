package dev.trestle.patterns;

import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.query.AccessPath;
import dev.trestle.patterns.query.Filter;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The parameters of a query and the reader of its rows. */
record QuerySpec<R>(
        EntityMapping<?> mapping,
        Filter filter,
        long limit,
        int pageSize,
        boolean scanAllowed,
        List<String> select,
        Function<TableEntity, Stored<R>> reader) {
    static final int PAGE_SIZE_MAX = 1_000;

    QuerySpec {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1, not " + limit);
        }
        if (pageSize < 1 || pageSize > PAGE_SIZE_MAX) {
            throw new IllegalArgumentException("pageSize must be 1 to " + PAGE_SIZE_MAX + ", not " + pageSize);
        }
    }

    QuerySpec<R> filter(Filter more) {
        return new QuerySpec<>(mapping, filter.and(more), limit, pageSize, scanAllowed, select, reader);
    }

    QuerySpec<R> limit(long most) {
        return new QuerySpec<>(mapping, filter, most, pageSize, scanAllowed, select, reader);
    }

    QuerySpec<R> pageSize(int size) {
        return new QuerySpec<>(mapping, filter, limit, size, scanAllowed, select, reader);
    }

    QuerySpec<R> allowTableScan() {
        return new QuerySpec<>(mapping, filter, limit, pageSize, true, select, reader);
    }

    <P> QuerySpec<P> select(List<String> properties, Function<TableEntity, Stored<P>> other) {
        return new QuerySpec<>(mapping, filter, limit, pageSize, scanAllowed, properties, other);
    }

    AccessPath accessPath() {
        return filter.accessPath(mapping);
    }

    String rendered() {
        return filter.render(mapping);
    }

    /** Returns the options of one request for at most {@code remaining} entities; throws for a table scan that is not allowed. */
    ListEntitiesOptions options(long remaining) {
        String text = rendered();
        if (accessPath() == AccessPath.TABLE_SCAN && !scanAllowed) {
            throw new TableScanException(text);
        }
        ListEntitiesOptions options = new ListEntitiesOptions().setTop((int) Math.min(pageSize, remaining));
        if (!text.isEmpty()) {
            options.setFilter(text);
        }
        return select.isEmpty() ? options : options.setSelect(select);
    }

    Page<R> page(List<TableEntity> entities, Optional<String> continuation) {
        return new Page<>(entities.stream().map(reader).toList(), continuation.map(PageToken::new));
    }
}
