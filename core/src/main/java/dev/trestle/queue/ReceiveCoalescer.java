package dev.trestle.queue;

import dev.trestle.async.OptimisticRetry;
import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.RowPage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Those who want messages of one queue. They are served in rounds, one at a time: all that wait share one look at the head
 * of the queue and one commit, so that however many there are, none takes what another is about to take. Other servers may;
 * then the round looks again.
 */
final class ReceiveCoalescer {
    /** Messages of one round: each is two writes of a commit, and one is left for what all commits to a queue carry. */
    private static final int ROUND_MESSAGES_MAX = (Commit.WRITES_MAX - 1) / 2;

    private static final int ATTEMPTS_MAX = 50;
    private static final Duration DELAY_MAX = Duration.ofMillis(50);

    /** How often to look at all of a queue that others write to as well, for what came in late. */
    private static final long SHARED_LOOK_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final MessageStore store;
    private final VisibilityCursor head;
    private final boolean shared;
    private final RandomGenerator random;
    private final OptimisticRetry retry;
    private final LongSupplier nanoTime;
    private final Deque<Taker> waiting = new ArrayDeque<>();
    private boolean underWay;
    private long wholeLookNanos;

    private record Taker(int messages, long hiddenTicks, Executor where, CompletableFuture<List<Message>> answer) {}

    ReceiveCoalescer(
            MessageStore store,
            VisibilityCursor head,
            boolean shared,
            RandomGenerator random,
            OptimisticRetry retry,
            LongSupplier nanoTime) {
        this.store = store;
        this.head = head;
        this.shared = shared;
        this.random = random;
        this.nanoTime = nanoTime;
        this.wholeLookNanos = nanoTime.getAsLong();
        this.retry = retry.withLimits(ATTEMPTS_MAX, DELAY_MAX);
    }

    CompletionStage<List<Message>> take(int messages, long hiddenTicks, Executor where) {
        Taker taker = new Taker(messages, hiddenTicks, where, new CompletableFuture<>());
        synchronized (this) {
            waiting.add(taker);
            if (underWay) {
                return taker.answer;
            }
            underWay = true;
        }
        serve(nextRound());
        return taker.answer;
    }

    /** Runs rounds until nobody waits. Where the engine has answered, the next goes on on a thread of one it serves. */
    private void serve(List<Taker> first) {
        List<Taker> round = first;
        while (!round.isEmpty()) {
            CompletableFuture<Void> done = new Round(round).run();
            if (!done.isDone()) {
                done.minimalCompletionStage().whenComplete((over, impossible) -> {
                    List<Taker> next = nextRound();
                    if (!next.isEmpty()) {
                        next.get(0).where.execute(() -> serve(next));
                    }
                });
                return;
            }
            round = nextRound();
        }
    }

    private synchronized List<Taker> nextRound() {
        List<Taker> round = new ArrayList<>();
        int messages = 0;
        while (!waiting.isEmpty()) {
            messages += waiting.peek().messages;
            if (!round.isEmpty() && messages > ROUND_MESSAGES_MAX) {
                break;
            }
            round.add(waiting.remove());
        }
        underWay = !round.isEmpty();
        return round;
    }

    /** Some takers, who are answered together. */
    private final class Round {
        private final List<Taker> takers;
        private final int wanted;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private int attempts;

        Round(List<Taker> takers) {
            this.takers = takers;
            this.wanted = takers.stream().mapToInt(Taker::messages).sum();
        }

        /** Completes when all have their answers, and never exceptionally. */
        CompletableFuture<Void> run() {
            retry.run(this::attempt, Round::nothing, takers.get(0).where).whenComplete((taken, failure) -> {
                if (failure != null) {
                    fail(failure);
                } else {
                    answer(taken);
                }
            });
            return done;
        }

        /** Other servers take all there is; the next request has another chance. */
        private static CompletionStage<List<Message>> nothing() {
            return CompletableFuture.completedFuture(List.of());
        }

        /** Returns empty if another request has changed, deleted or taken one of the messages since they were read. */
        private CompletionStage<Optional<List<Message>>> attempt() {
            attempts++;
            long now = store.now();
            long from = head.look();
            if (shared && nanoTime.getAsLong() - wholeLookNanos > SHARED_LOOK_NANOS) {
                wholeLookNanos = nanoTime.getAsLong();
                from = 0;
            }
            // Whoever met another server at the head goes on a little behind it, where they do not meet again.
            int skipped = attempts == 1 || !shared ? 0 : random.nextInt(wanted * Math.min(attempts, 8) + 1);
            return store.page(from, now, wanted + skipped)
                    .thenCompose(page -> take(page, Math.min(skipped, Math.max(0, page.size() - wanted)), now));
        }

        private CompletionStage<Optional<List<Message>>> take(RowPage page, int skipped, long now) {
            List<Message> found = MessageStore.decode(page);
            long first = found.isEmpty() ? now + 1 : found.get(0).visible();
            List<Message> old = found.subList(skipped, Math.min(found.size(), skipped + wanted));
            if (old.isEmpty()) {
                head.nothingBefore(first, now);
                return CompletableFuture.completedFuture(Optional.of(List.of()));
            }
            List<Message> taken = taken(old);
            return store.move(old, taken)
                    .whenComplete((result, failure) -> {
                        if (failure != null) {
                            head.nothingBefore(first, now);
                        } else if (result instanceof CommitResult.Committed) {
                            boolean all = skipped == 0 && old.size() == found.size();
                            long rest =
                                    page.resume().map(MessageRowCodec::visible).orElse(now + 1);
                            head.nothingBefore(all ? rest : first, now);
                        }
                    })
                    .thenApply(
                            result -> result instanceof CommitResult.Committed ? Optional.of(taken) : Optional.empty());
        }

        private List<Message> taken(List<Message> old) {
            List<Message> taken = new ArrayList<>(old.size());
            for (Taker taker : takers) {
                for (int i = 0; i < taker.messages && taken.size() < old.size(); i++) {
                    Message message = old.get(taken.size());
                    taken.add(store.moved(message, taker.hiddenTicks, message.dequeueCount() + 1, message.text()));
                }
            }
            return taken;
        }

        private void answer(List<Message> taken) {
            int at = 0;
            for (Taker taker : takers) {
                int end = Math.min(taken.size(), at + taker.messages);
                taker.answer.complete(List.copyOf(taken.subList(at, end)));
                at = end;
            }
            done.complete(null);
        }

        private void fail(Throwable failure) {
            takers.forEach(taker -> taker.answer.completeExceptionally(failure));
            done.complete(null);
        }
    }
}
