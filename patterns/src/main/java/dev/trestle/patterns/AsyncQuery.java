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
 * A query whose answers arrive. Nothing is asked before somebody subscribes, and a page not before it is requested.
 *
 * @param <R> what each entity is read as
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

    /** Only the attributes that this class has as well, and results of this class. */
    public <P> AsyncQuery<P> select(Class<P> type) {
        return new AsyncQuery<>(client, projections, projections.select(spec, type));
    }

    /** All results, in the order of their keys. */
    public Flux<R> flux() {
        return stored().map(Stored::value);
    }

    /** All results with their keys and ETags. */
    public Flux<Stored<R>> stored() {
        return pages().concatMapIterable(Page::entities);
    }

    public Mono<Stored<R>> first() {
        return limit(1).stored().next();
    }

    /** How many there are, counted here; only their keys are sent. */
    public Mono<Long> count() {
        return keys().pages().map(page -> (long) page.entities().size()).reduce(0L, Long::sum);
    }

    public Mono<Boolean> exists() {
        return keys().limit(1).stored().hasElements();
    }

    private AsyncQuery<EntityKey> keys() {
        return new AsyncQuery<>(client, projections, projections.keys(spec));
    }

    /** The pages as the service sends them. */
    public Flux<Page<R>> pages() {
        return page(Optional.empty(), spec.limit())
                .map(page -> new Progress<>(page, spec.limit() - page.entities().size()))
                .expand(this::following)
                .map(Progress::page);
    }

    private record Progress<R>(Page<R> page, long remaining) {}

    private Mono<Progress<R>> following(Progress<R> progress) {
        if (progress.remaining() <= 0 || progress.page().next().isEmpty()) {
            return Mono.empty();
        }
        return page(progress.page().next(), progress.remaining())
                .map(page -> new Progress<>(
                        page, progress.remaining() - page.entities().size()));
    }

    /** The first page. */
    public Mono<Page<R>> page() {
        return page(Optional.empty(), spec.limit());
    }

    /** The page at which an earlier one said to go on. */
    public Mono<Page<R>> page(PageToken token) {
        return page(Optional.of(token), spec.limit());
    }

    private Mono<Page<R>> page(Optional<PageToken> token, long remaining) {
        return Mono.defer(() -> {
            PagedFlux<TableEntity> all = client.listEntities(spec.options(remaining));
            // No token would mean no pages.
            Flux<PagedResponse<TableEntity>> pages =
                    token.map(known -> all.byPage(known.continuation())).orElseGet(all::byPage);
            return pages.next()
                    .map(page -> spec.page(page.getValue(), Optional.ofNullable(page.getContinuationToken())));
        });
    }
}
