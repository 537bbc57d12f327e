package dev.trestle.patterns;

import com.azure.core.http.rest.PagedResponse;
import com.azure.core.util.Context;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.Stored;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A blocking query. Immutable. Pages are requested on demand, so a stream that is not read to its end does not request the rest.
 *
 * @param <R> the type that each entity is read as
 */
public final class Query<R> extends QueryBuilder<R, Query<R>> {
    private final TableClient client;
    private final Projections projections;

    Query(TableClient client, Projections projections, QuerySpec<R> spec) {
        super(spec);
        this.client = client;
        this.projections = projections;
    }

    @Override
    Query<R> with(QuerySpec<R> other) {
        return new Query<>(client, projections, other);
    }

    /** Projects to the attributes of a class, which becomes the result type; only their properties are transferred. */
    public <P> Query<P> select(Class<P> type) {
        return new Query<>(client, projections, projections.select(spec, type));
    }

    /** Returns all results, in key order. */
    public Stream<R> stream() {
        return stored().map(Stored::value);
    }

    /** Returns all results with their keys and ETags, in key order. */
    public Stream<Stored<R>> stored() {
        return pages().flatMap(page -> page.entities().stream());
    }

    public List<R> list() {
        return stream().toList();
    }

    public Optional<Stored<R>> first() {
        return limit(1).stored().findFirst();
    }

    /** Counts the results on the client; only keys are transferred. */
    public long count() {
        return keys().pages().mapToLong(page -> page.entities().size()).sum();
    }

    public boolean exists() {
        return keys().first().isPresent();
    }

    private Query<EntityKey> keys() {
        return new Query<>(client, projections, projections.keys(spec));
    }

    /** Returns the pages as the service sends them. */
    public Stream<Page<R>> pages() {
        PageIterator pages = new PageIterator();
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(pages, Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    /** Reads the first page. */
    public Page<R> page() {
        return page(null, spec.limit());
    }

    /** Reads the page at a token of an earlier page. */
    public Page<R> page(PageToken token) {
        return page(token, spec.limit());
    }

    private Page<R> page(@Nullable PageToken token, long remaining) {
        Iterator<PagedResponse<TableEntity>> pages = client.listEntities(spec.options(remaining), null, Context.NONE)
                .iterableByPage(token == null ? null : token.continuation())
                .iterator();
        PagedResponse<TableEntity> page = pages.next();
        return spec.page(page.getValue(), Optional.ofNullable(page.getContinuationToken()));
    }

    /** Requests each page on demand. */
    private final class PageIterator implements Iterator<Page<R>> {
        private long remaining = spec.limit();
        private boolean ended;
        private @Nullable PageToken next;

        @Override
        public boolean hasNext() {
            return !ended;
        }

        @Override
        public Page<R> next() {
            if (ended) {
                throw new NoSuchElementException();
            }
            Page<R> page = page(next, remaining);
            remaining -= page.entities().size();
            next = page.next().orElse(null);
            ended = next == null || remaining <= 0;
            return page;
        }
    }
}
