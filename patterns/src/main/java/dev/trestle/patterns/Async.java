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
 * A pattern for callers that do not wait: whatever it does becomes a {@link Mono} or a {@link Flux}. It fits every class of this
 * library, since it is told what to do with one.
 *
 * <pre>{@code
 * Async<IntraPartitionIndex<Employee>> index = Async.of(IntraPartitionIndex.of(employees, List.of(byName)));
 * Mono<Stored<Employee>> found = index.run(it -> it.insert(jones()))
 *         .then(index.find(it -> it.find(byName, new EntityKey("Sales", "name_Jones"))));
 * }</pre>
 *
 * <p>Promise: that of the pattern, which does the work. Nothing happens before somebody subscribes, and each subscription does
 * it once. The subscriber's thread never waits; a thread of the scheduler waits in its place, so that as many calls are under
 * way as the scheduler has threads. Failures arrive as the pattern throws them. Who cancels interrupts the work: what was asked
 * of the service by then may be done or not, and the pattern keeps its promise as it does when a process stops. Whoever works
 * with single entities and queries has {@link AsyncEntityTable}, for which no thread waits.
 *
 * @param <P> the pattern, as an {@code IntraPartitionIndex}
 */
public final class Async<P> {
    private final P pattern;
    private final Scheduler scheduler;

    private Async(P pattern, Scheduler scheduler) {
        this.pattern = pattern;
        this.scheduler = scheduler;
    }

    /** On the threads that Reactor keeps for work that waits. */
    public static <P> Async<P> of(P pattern) {
        return of(pattern, Schedulers.boundedElastic());
    }

    /** On the threads of a scheduler, which may wait. */
    public static <P> Async<P> of(P pattern, Scheduler scheduler) {
        return new Async<>(pattern, scheduler);
    }

    /** Does something that gives one result. */
    public <R> Mono<R> call(Function<P, R> work) {
        return Mono.fromCallable(() -> work.apply(pattern)).subscribeOn(scheduler);
    }

    /** Does something that gives no result. */
    public Mono<Void> run(Consumer<P> work) {
        return Mono.<Void>fromRunnable(() -> work.accept(pattern)).subscribeOn(scheduler);
    }

    /** Looks for something that may not be there, which is an empty answer. */
    public <R> Mono<R> find(Function<P, Optional<R>> work) {
        return call(work).flatMap(Mono::justOrEmpty);
    }

    /** Reads many results, no faster than the subscriber wants them. Pages that it does not come to are not asked for. */
    public <R> Flux<R> stream(Function<P, Stream<R>> work) {
        return Flux.defer(() -> Flux.fromStream(work.apply(pattern))).subscribeOn(scheduler);
    }
}
