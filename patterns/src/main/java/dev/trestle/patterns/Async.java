package dev.trestle.patterns;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A reactive adapter for the blocking classes of this library: runs any operation of a pattern on a scheduler and returns its
 * result as a {@link Mono} or a {@link Flux}.
 *
 * <pre>{@code
 * Async<IntraPartitionIndex<Employee>> index = Async.of(IntraPartitionIndex.of(employees, List.of(byName)));
 * Mono<Stored<Employee>> found = index.run(it -> it.insert(jones()))
 *         .then(index.find(it -> it.find(byName, new EntityKey("Sales", "name_Jones"))));
 * }</pre>
 *
 * <p>Promise: that of the pattern. Nothing runs before subscription, and each subscription runs the operation once. The
 * subscribing thread never blocks; a thread of the scheduler does, so the size of the scheduler limits the number of calls in
 * flight. Errors are those that the pattern throws. Cancellation interrupts the operation: requests already sent may or may not
 * take effect, and the pattern's promise holds as it does when a process crashes. For single entities and queries,
 * {@link AsyncEntityTable} is fully non-blocking.
 *
 * @param <P> the pattern, for example {@code IntraPartitionIndex}
 */
public final class Async<P> {
    private final P pattern;
    private final Scheduler scheduler;

    private Async(P pattern, Scheduler scheduler) {
        this.pattern = pattern;
        this.scheduler = scheduler;
    }

    /** Adapts a pattern, running it on Reactor's {@link Schedulers#boundedElastic()}. */
    public static <P> Async<P> of(P pattern) {
        return of(pattern, Schedulers.boundedElastic());
    }

    /** Adapts a pattern, running it on a scheduler whose threads may block. */
    public static <P> Async<P> of(P pattern, Scheduler scheduler) {
        return new Async<>(pattern, scheduler);
    }

    /** Runs an operation with one result. */
    public <R> Mono<R> call(Function<P, R> work) {
        return Mono.fromCallable(() -> work.apply(pattern)).subscribeOn(scheduler);
    }

    /** Runs an operation without a result. */
    public Mono<Void> run(Consumer<P> work) {
        return Mono.<Void>fromRunnable(() -> work.accept(pattern)).subscribeOn(scheduler);
    }

    /** Runs an operation with an optional result; the {@link Mono} is empty if there is none. */
    public <R> Mono<R> find(Function<P, Optional<R>> work) {
        return call(work).flatMap(Mono::justOrEmpty);
    }

    /** Runs an operation with a stream of results, with back-pressure: a page is requested only on demand. */
    public <R> Flux<R> stream(Function<P, Stream<R>> work) {
        return Flux.defer(() -> Flux.fromStream(work.apply(pattern))).subscribeOn(scheduler);
    }
}
