package dev.trestle.queue;

import dev.trestle.async.OptimisticRetry;
import dev.trestle.engine.Commit;
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
 * Coalesces concurrent receives from one queue. Receivers are served in rounds, one at a time: those that wait
 * share one scan at the head of the queue and one commit, so receivers of this process never compete for a
 * message. A round that loses to another server is retried. Thread-safe.
 */
final class ReceiveCoalescer {
    /**
     * Each message takes two writes of a commit. One write is left for the condition that the queue is not closed.
     */
    private static final int ROUND_MESSAGES_MAX = (Commit.WRITES_MAX - 1) / 2;

    private static final int ATTEMPTS_MAX = 50;
    private static final Duration DELAY_MAX = Duration.ofMillis(50);

    /** The interval of scans from the start of a shared queue, which find messages that were written late. */
    private static final long FULL_SCAN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final MessageRowStore rows;
    private final VisibilityCursor cursor;
    private final boolean shared;
    private final RandomGenerator random;
    private final OptimisticRetry retry;
    private final LongSupplier nanoTime;

    /** Guarded by this, like {@code running}. */
    private final Deque<Receiver> waiting = new ArrayDeque<>();

    private boolean running;

    /** Used by one round at a time. */
    private long fullScanNanos;

    private record Receiver(
            int messages, long hiddenTicks, Executor executor, CompletableFuture<List<Message>> result) {}

    ReceiveCoalescer(MessageRowStore rows, RandomGenerator random, OptimisticRetry retry, LongSupplier nanoTime) {
        this.rows = rows;
        this.cursor = rows.cursor();
        this.shared = rows.isShared();
        this.random = random;
        this.retry = retry.withLimits(ATTEMPTS_MAX, DELAY_MAX);
        this.nanoTime = nanoTime;
        this.fullScanNanos = nanoTime.getAsLong();
    }

    CompletionStage<List<Message>> take(int messages, long hiddenTicks, Executor executor) {
        Receiver receiver = new Receiver(messages, hiddenTicks, executor, new CompletableFuture<>());
        synchronized (this) {
            waiting.add(receiver);
            if (running) {
                return receiver.result;
            }
            running = true;
        }
        run(nextRound());
        return receiver.result;
    }

    /**
     * Runs rounds until nobody waits. A round that follows an asynchronous one runs on its first receiver's
     * executor.
     */
    private void run(List<Receiver> first) {
        List<Receiver> round = first;
        while (!round.isEmpty()) {
            CompletableFuture<Void> done = new Round(round).run();
            if (!done.isDone()) {
                done.minimalCompletionStage().whenComplete((over, impossible) -> {
                    List<Receiver> next = nextRound();
                    if (!next.isEmpty()) {
                        next.get(0).executor.execute(() -> run(next));
                    }
                });
                return;
            }
            round = nextRound();
        }
    }

    private synchronized List<Receiver> nextRound() {
        List<Receiver> round = new ArrayList<>();
        int messages = 0;
        while (!waiting.isEmpty()) {
            messages += waiting.peek().messages;
            if (!round.isEmpty() && messages > ROUND_MESSAGES_MAX) {
                break;
            }
            round.add(waiting.remove());
        }
        running = !round.isEmpty();
        return round;
    }

    /** One scan and one commit for some receivers. */
    private final class Round {
        private final List<Receiver> receivers;
        private final int wanted;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private int attempts;

        Round(List<Receiver> receivers) {
            this.receivers = receivers;
            this.wanted = receivers.stream().mapToInt(Receiver::messages).sum();
        }

        /** Completes when all receivers have their results, and never fails. */
        CompletableFuture<Void> run() {
            retry.run(this::attempt, Round::nothing, receivers.get(0).executor).whenComplete((taken, failure) -> {
                if (failure != null) {
                    receivers.forEach(receiver -> receiver.result.completeExceptionally(failure));
                } else {
                    distribute(taken);
                }
                done.complete(null);
            });
            return done;
        }

        /** Other servers take every message; the next request has another chance. */
        private static CompletionStage<List<Message>> nothing() {
            return CompletableFuture.completedFuture(List.of());
        }

        /** Returns empty if one of the messages has moved or is deleted since it was read. */
        private CompletionStage<Optional<List<Message>>> attempt() {
            attempts++;
            long now = rows.now();
            long from = cursor.beginScan();
            if (shared && nanoTime.getAsLong() - fullScanNanos > FULL_SCAN_NANOS) {
                fullScanNanos = nanoTime.getAsLong();
                from = 0;
            }
            // After a conflict with another server, skip a random number of messages to avoid the next conflict.
            int skipped = attempts == 1 || !shared ? 0 : random.nextInt(wanted * Math.min(attempts, 8) + 1);
            return rows.visible(from, now, wanted + skipped)
                    .thenCompose(page -> take(page, Math.min(skipped, Math.max(0, page.size() - wanted)), now));
        }

        private CompletionStage<Optional<List<Message>>> take(RowPage page, int skipped, long now) {
            List<Message> found = MessageRowStore.decode(page);
            long first = found.isEmpty() ? now + 1 : found.get(0).visible();
            List<Message> old = found.subList(skipped, Math.min(found.size(), skipped + wanted));
            if (old.isEmpty()) {
                cursor.endScan(first, now);
                return CompletableFuture.completedFuture(Optional.of(List.of()));
            }
            List<Message> taken = moved(old);
            return rows.move(old, taken)
                    .whenComplete((moved, failure) -> {
                        if (failure != null) {
                            cursor.endScan(first, now);
                        } else if (moved) {
                            boolean all = skipped == 0 && old.size() == found.size();
                            long rest =
                                    page.resume().map(MessageRowCodec::visible).orElse(now + 1);
                            cursor.endScan(all ? rest : first, now);
                        }
                    })
                    .thenApply(moved -> moved ? Optional.of(taken) : Optional.empty());
        }

        private List<Message> moved(List<Message> old) {
            List<Message> moved = new ArrayList<>(old.size());
            for (Receiver receiver : receivers) {
                for (int i = 0; i < receiver.messages && moved.size() < old.size(); i++) {
                    Message message = old.get(moved.size());
                    moved.add(rows.moved(message, receiver.hiddenTicks, message.dequeueCount() + 1, message.text()));
                }
            }
            return moved;
        }

        private void distribute(List<Message> taken) {
            int at = 0;
            for (Receiver receiver : receivers) {
                int end = Math.min(taken.size(), at + receiver.messages);
                receiver.result.complete(List.copyOf(taken.subList(at, end)));
                at = end;
            }
        }
    }
}
