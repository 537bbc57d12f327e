package dev.trestle.async;

import dev.trestle.engine.support.Timer;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Retries for optimistic concurrency: repeats a read followed by a conditional write while it loses to other
 * writers. The first retries are immediate. Later ones wait with exponential backoff and full jitter. The number
 * of attempts is bounded; after the last one the caller gets {@link StorageError#SERVER_BUSY}, which clients
 * retry. Thread-safe.
 *
 * <p>A conflict always means that another writer succeeded, so the writers of one row make progress together.
 * Jitter spreads them, so that each one makes progress too.
 */
public final class OptimisticRetry {
    /** One rival writer is usually gone by then. */
    private static final int IMMEDIATE_RETRIES = 3;

    /** About twelve seconds of waiting: hundreds of clients may write one row, and requests still end in time. */
    private static final int ATTEMPTS_MAX = 250;

    private static final Duration FIRST_DELAY_MAX = Duration.ofMillis(1);
    private static final Duration DELAY_MAX = Duration.ofMillis(100);

    private final RandomGenerator random;
    private final Function<Duration, CompletionStage<Void>> timer;
    private final int attemptsMax;
    private final Duration delayMax;

    private OptimisticRetry(
            RandomGenerator random,
            Function<Duration, CompletionStage<Void>> timer,
            int attemptsMax,
            Duration delayMax) {
        this.random = random;
        this.timer = timer;
        this.attemptsMax = attemptsMax;
        this.delayMax = delayMax;
    }

    /**
     * Creates a policy with the default limits.
     *
     * @param random draws the jitter; thread-safe
     */
    public OptimisticRetry(RandomGenerator random) {
        this(random, Timer::after);
    }

    /**
     * Creates a policy with the default limits.
     *
     * @param random draws the jitter; thread-safe
     * @param timer returns a stage that completes after the delay
     */
    public OptimisticRetry(RandomGenerator random, Function<Duration, CompletionStage<Void>> timer) {
        this(random, timer, ATTEMPTS_MAX, DELAY_MAX);
    }

    /** Returns a policy with the same randomness and timer and other limits. */
    public OptimisticRetry withLimits(int attempts, Duration longestDelay) {
        return new OptimisticRetry(random, timer, attempts, longestDelay);
    }

    /**
     * Repeats an attempt until it has a result. Fails with {@link StorageError#SERVER_BUSY} after too many
     * conflicts, and at once with any failure of an attempt.
     *
     * @param operation a gerund phrase for the error, such as "Changing a blob"
     * @param attempt returns empty after a conflict with another writer
     */
    public <T> CompletionStage<T> run(String operation, Supplier<CompletionStage<Optional<T>>> attempt) {
        return run(attempt, () -> CompletableFuture.failedFuture(busy(operation)), Runnable::run);
    }

    private StorageException busy(String operation) {
        StorageError error = StorageError.SERVER_BUSY;
        return new StorageException(
                error,
                error.message() + " " + operation + " conflicted with concurrent requests " + attemptsMax + " times.");
    }

    /**
     * Like {@link #run(String, Supplier)}, for operations without a result.
     *
     * @param attempt returns false after a conflict with another writer
     */
    public CompletionStage<Void> runUntilTrue(String operation, Supplier<CompletionStage<Boolean>> attempt) {
        return run(operation, () -> attempt.get().thenApply(done -> done ? Optional.of(done) : Optional.empty()))
                .thenAccept(done -> {});
    }

    /**
     * Like {@link #run(String, Supplier)}, for operations with a result of their own after too many conflicts.
     *
     * @param exhausted called once, after the last attempt
     * @param executor runs the attempts that had to wait
     */
    public <T> CompletionStage<T> run(
            Supplier<CompletionStage<Optional<T>>> attempt, Supplier<CompletionStage<T>> exhausted, Executor executor) {
        return new Attempts<>(attempt, exhausted, executor).run(1);
    }

    private final class Attempts<T> {
        private final Supplier<CompletionStage<Optional<T>>> attempt;
        private final Supplier<CompletionStage<T>> exhausted;
        private final Executor executor;

        Attempts(
                Supplier<CompletionStage<Optional<T>>> attempt,
                Supplier<CompletionStage<T>> exhausted,
                Executor executor) {
            this.attempt = attempt;
            this.exhausted = exhausted;
            this.executor = executor;
        }

        CompletionStage<T> run(int number) {
            return start().thenCompose(result -> {
                if (result.isPresent()) {
                    return CompletableFuture.completedFuture(result.get());
                }
                if (number >= attemptsMax) {
                    return exhausted.get();
                }
                return number <= IMMEDIATE_RETRIES
                        ? run(number + 1)
                        : timer.apply(delay(number - IMMEDIATE_RETRIES))
                                .thenComposeAsync(over -> run(number + 1), executor);
            });
        }

        private CompletionStage<Optional<T>> start() {
            try {
                return attempt.get();
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }

    /**
     * Draws the delay of a retry, counted from 1 after the immediate ones: between zero and a bound that doubles.
     */
    private Duration delay(int retry) {
        long longest = delayMax.toNanos();
        long doublings = Math.min(retry - 1, Long.numberOfLeadingZeros(FIRST_DELAY_MAX.toNanos()) - 1);
        long bound = Math.min(longest, FIRST_DELAY_MAX.toNanos() << doublings);
        return Duration.ofNanos(1 + random.nextLong(bound));
    }
}
