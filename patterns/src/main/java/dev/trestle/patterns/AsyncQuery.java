package dev.trestle.patterns;

import com.azure.core.http.rest.PagedFlux;
import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.Stored;
import java.util.Optional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A non-blocking query. Immutable. Nothing is sent before subscription, and pages are requested on demand.
 *
 * @param <R> the type that each entity is read as
 */
public final class AsyncQuery<R> extends QueryBuilder<R, AsyncQuery<R>> {
    private final TableAsyncClient client;
    private final Projections projections;

    AsyncQuery(TableAsyncClient client, Projections projections, QuerySpec<R> spec) {
        super(spec);
        this.client = client;
        this.projections = projections;
    }

    @Override
    AsyncQuery<R> with(QuerySpec<R> other) {
        return new AsyncQuery<>(client, projections, other);
    }

    /** Projects to the attributes of a class, which becomes the result type; only their properties are transferred. */
    public <P> AsyncQuery<P> select(Class<P> type) {
        return new AsyncQuery<>(client, projections, projections.select(spec, type));
    }

    /** Returns all results, in key order. */
    public Flux<R> flux() {
        return stored().map(Stored::value);
    }

    /** Returns all results with their keys and ETags, in key order. */
    public Flux<Stored<R>> stored() {
        return pages().concatMapIterable(Page::entities);
    }

    public Mono<Stored<R>> first() {
        return limit(1).stored().next();
    }

    /** Counts the results on the client; only keys are transferred. */
    public Mono<Long> count() {
        return keys().pages().map(page -> (long) page.entities().size()).reduce(0L, Long::sum);
    }

    public Mono<Boolean> exists() {
        return keys().limit(1).stored().hasElements();
    }

    private AsyncQuery<EntityKey> keys() {
        return new AsyncQuery<>(client, projections, projections.keys(spec));
    }

    /** Returns the pages as the service sends them. */
    public Flux<Page<R>> pages() {
        return page(Optional.empty(), spec.limit())
                .map(page -> new Progress<>(page, spec.limit() - page.entities().size()))
                .expand(this::nextPage)
                .map(Progress::page);
    }

    private record Progress<R>(Page<R> page, long remaining) {}

    private Mono<Progress<R>> nextPage(Progress<R> progress) {
        if (progress.remaining() <= 0 || progress.page().next().isEmpty()) {
            return Mono.empty();
        }
        return page(progress.page().next(), progress.remaining())
                .map(page -> new Progress<>(
                        page, progress.remaining() - page.entities().size()));
    }

    /** Reads the first page. */
    public Mono<Page<R>> page() {
        return page(Optional.empty(), spec.limit());
    }

    /** Reads the page at a token of an earlier page. */
    public Mono<Page<R>> page(PageToken token) {
        return page(Optional.of(token), spec.limit());
    }

    private Mono<Page<R>> page(Optional<PageToken> token, long remaining) {
        return Mono.defer(() -> {
            PagedFlux<TableEntity> all = client.listEntities(spec.options(remaining));
            // Passing a null token to byPage would return no pages.
            Flux<PagedResponse<TableEntity>> pages =
                    token.map(known -> all.byPage(known.continuation())).orElseGet(all::byPage);
            return pages.next()
                    .map(page -> spec.page(page.getValue(), Optional.ofNullable(page.getContinuationToken())));
        });
    }
}
