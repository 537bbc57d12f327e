package dev.trestle.server.admin;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.engine.support.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the server is ready, which it is when the engine takes writes and has met no damaged rows. There is one way to know: to write. A row of
 * the catalogue's own is written the way all rows are, and synced with them; once a second at most, however often it is
 * asked, so that asking costs nothing worth counting. For any thread.
 */
public final class Readiness {
    private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(5);
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Supplier<CompletionStage<Void>> probe;
    private final Supplier<Optional<String>> damage;
    private final LongSupplier nanoTime;
    private final Duration answerTimeMax;
    private @Nullable CompletableFuture<Optional<String>> latest;
    private long latestNanos;
    private boolean stopping;

    /**
     * @param probe writes a row
     * @param damage what is wrong with what is stored, in a sentence; empty when nothing is known
     * @param nanoTime as {@link System#nanoTime}
     */
    public Readiness(Supplier<CompletionStage<Void>> probe, Supplier<Optional<String>> damage, LongSupplier nanoTime) {
        this(probe, damage, nanoTime, ANSWER_TIME_MAX);
    }

    Readiness(Supplier<CompletionStage<Void>> probe, LongSupplier nanoTime, Duration answerTimeMax) {
        this(probe, Optional::empty, nanoTime, answerTimeMax);
    }

    Readiness(
            Supplier<CompletionStage<Void>> probe,
            Supplier<Optional<String>> damage,
            LongSupplier nanoTime,
            Duration answerTimeMax) {
        this.probe = probe;
        this.damage = damage;
        this.nanoTime = nanoTime;
        this.answerTimeMax = answerTimeMax;
    }

    /** Why the server is not ready, or empty when it is; never completes exceptionally. */
    synchronized CompletionStage<Optional<String>> check() {
        if (stopping) {
            return CompletableFuture.completedFuture(Optional.of("The server is stopping."));
        }
        Optional<String> damaged = damage.get();
        if (damaged.isPresent()) {
            return CompletableFuture.completedFuture(damaged);
        }
        long now = nanoTime.getAsLong();
        CompletableFuture<Optional<String>> known = latest;
        if (known != null && (!known.isDone() || now - latestNanos < KEPT_NANOS)) {
            return known;
        }
        CompletableFuture<Optional<String>> asked = Timer.limit(
                        probe.get().toCompletableFuture().copy(), answerTimeMax)
                .handle((written, failure) -> failure == null ? Optional.empty() : Optional.of(sentence(failure)));
        latest = asked;
        latestNanos = now;
        return asked;
    }

    /** From now on the server is not ready, so that nobody is sent to it any more. */
    public synchronized void stop() {
        stopping = true;
    }

    private String sentence(Throwable failure) {
        Throwable cause = StageFailures.cause(failure);
        if (cause instanceof TimeoutException) {
            return "A write was not done within " + answerTimeMax.toMillis() + " ms.";
        }
        if (cause instanceof EngineException trouble) {
            return switch (trouble.kind()) {
                case OVERLOADED -> "Too many writes wait.";
                case FULL -> "The disk is full; reads go on, and writes will once there is room.";
                case UNAVAILABLE -> "The storage takes no writes.";
                case CORRUPT -> "The stored data are damaged.";
            };
        }
        return "A write failed.";
    }
}
