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
 * The readiness check: the server is ready if the engine accepts writes and has found no damaged rows. To find
 * out, it writes a row of the catalogue like any other row, synced, at most once per second. Thread-safe.
 */
public final class Readiness {
    private static final Duration WRITE_TIME_MAX = Duration.ofSeconds(5);
    private static final long CACHED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Supplier<CompletionStage<Void>> probe;
    private final Supplier<Optional<String>> damage;
    private final LongSupplier nanoTime;
    private final Duration writeTimeMax;
    private @Nullable CompletableFuture<Optional<String>> latest;
    private long latestNanos;
    private boolean stopping;

    /**
     * Creates the check.
     *
     * @param probe writes a row
     * @param damage describes known damage of the stored data; empty if there is none
     * @param nanoTime a clock like {@link System#nanoTime}
     */
    public Readiness(Supplier<CompletionStage<Void>> probe, Supplier<Optional<String>> damage, LongSupplier nanoTime) {
        this(probe, damage, nanoTime, WRITE_TIME_MAX);
    }

    Readiness(Supplier<CompletionStage<Void>> probe, LongSupplier nanoTime, Duration writeTimeMax) {
        this(probe, Optional::empty, nanoTime, writeTimeMax);
    }

    Readiness(
            Supplier<CompletionStage<Void>> probe,
            Supplier<Optional<String>> damage,
            LongSupplier nanoTime,
            Duration writeTimeMax) {
        this.probe = probe;
        this.damage = damage;
        this.nanoTime = nanoTime;
        this.writeTimeMax = writeTimeMax;
    }

    /** Returns why the server is not ready; empty if it is ready. Never completes exceptionally. */
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
        if (known != null && (!known.isDone() || now - latestNanos < CACHED_NANOS)) {
            return known;
        }
        CompletableFuture<Optional<String>> asked = Timer.limit(
                        probe.get().toCompletableFuture().copy(), writeTimeMax)
                .handle((written, failure) -> failure == null ? Optional.empty() : Optional.of(sentence(failure)));
        latest = asked;
        latestNanos = now;
        return asked;
    }

    /** Makes the server not ready, so that load balancers send it no more requests. */
    public synchronized void stop() {
        stopping = true;
    }

    private String sentence(Throwable failure) {
        Throwable cause = StageFailures.cause(failure);
        if (cause instanceof TimeoutException) {
            return "A write was not done within " + writeTimeMax.toMillis() + " ms.";
        }
        if (cause instanceof EngineException engine) {
            return switch (engine.kind()) {
                case OVERLOADED -> "Too many writes wait.";
                case FULL -> "The disk is full. Reads continue, and writes resume once space is freed.";
                case UNAVAILABLE -> "The storage takes no writes.";
                case CORRUPT -> "The stored data are damaged.";
            };
        }
        return "A write failed.";
    }
}
