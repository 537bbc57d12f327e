package dev.trestle.patterns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Scheduling, back-pressure, errors and cancellation of {@link Async}. */
class AsyncTest {
    private final AtomicInteger calls = new AtomicInteger();
    private final Async<AtomicInteger> counter = Async.of(calls);

    @Test
    void work_is_done_once_for_each_subscription_and_not_before() {
        Mono<Integer> next = counter.call(AtomicInteger::incrementAndGet);
        assertThat(calls).hasValue(0);
        assertThat(List.of(
                        next.blockOptional().orElseThrow(), next.blockOptional().orElseThrow()))
                .containsExactly(1, 2);
    }

    @Test
    void what_is_not_there_is_an_empty_answer() {
        assertThat(counter.find(it -> Optional.empty()).blockOptional()).isEmpty();
        assertThat(counter.find(it -> Optional.of(it.get())).blockOptional()).contains(0);
        assertThat(counter.run(AtomicInteger::incrementAndGet).blockOptional()).isEmpty();
        assertThat(calls).hasValue(1);
    }

    @Test
    void work_may_wait_although_it_is_asked_for_where_nothing_may() {
        Mono<List<Boolean>> threads = Mono.zip(
                        Mono.fromCallable(Schedulers::isInNonBlockingThread),
                        counter.call(it -> Schedulers.isInNonBlockingThread()),
                        counter.stream(it -> Stream.generate(Schedulers::isInNonBlockingThread))
                                .next())
                .map(seen -> List.of(seen.getT1(), seen.getT2(), seen.getT3()));
        assertThat(threads.subscribeOn(Schedulers.parallel()).block()).containsExactly(true, false, false);
    }

    @Test
    void work_is_done_by_the_scheduler_that_is_given() {
        Scheduler own = Schedulers.newSingle("own");
        try {
            Async<AtomicInteger> here = Async.of(calls, own);
            assertThat(here.call(it -> Thread.currentThread().getName()).block())
                    .startsWith("own");
        } finally {
            own.dispose();
        }
    }

    @Test
    void a_failure_arrives_as_it_was_thrown() {
        TableScanException failure = new TableScanException("all of it");
        Mono<Void> failing = counter.run(it -> {
            throw failure;
        });
        assertThatThrownBy(failing::block).isSameAs(failure);
        assertThatThrownBy(() -> counter.stream(it -> Stream.of(1, 0).map(divisor -> 1 / divisor))
                        .collectList()
                        .block())
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void who_cancels_interrupts_the_work() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Disposable subscription = Async.of(new CountDownLatch(1))
                .run(never -> {
                    begun.countDown();
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                })
                .subscribe();
        begun.await();
        subscription.dispose();
        interrupted.await();
        assertThat(subscription.isDisposed()).isTrue();
    }

    @Test
    void a_stream_is_read_as_far_as_is_wanted_and_closed() {
        AtomicBoolean closed = new AtomicBoolean();
        List<Integer> first = counter.stream(
                        it -> Stream.generate(it::incrementAndGet).onClose(() -> closed.set(true)))
                .take(3)
                .collectList()
                .block();
        assertThat(first).containsExactly(1, 2, 3);
        assertThat(calls).hasValue(3);
        assertThat(closed).isTrue();
    }
}
