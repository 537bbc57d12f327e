package dev.trestle.engine.hbase;

import dev.trestle.model.Ticks;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

/**
 * Generates the versions of commits: the current time, and always more than the last version. All versions are
 * below a mark that is stored in the cluster, so that versions grow across restarts even if the clock goes
 * backwards.
 */
final class Versions {
    private static final long AHEAD_TICKS = Duration.ofSeconds(2).toNanos() / 100;

    /** Distance to the mark up to which versions can be generated while the next mark is being stored. */
    private static final long RESERVED_TICKS = AHEAD_TICKS / 4;

    private final InstantSource clock;
    private final LongFunction<CompletionStage<Void>> keep;
    private long last;
    private long changes;
    private long mark;
    private CompletableFuture<Void> keeping = CompletableFuture.completedFuture(null);

    /**
     * @param mark the stored mark
     * @param keep stores another mark in the cluster
     */
    Versions(InstantSource clock, long mark, LongFunction<CompletionStage<Void>> keep) {
        this.clock = clock;
        this.keep = keep;
        this.last = mark;
        this.mark = mark;
    }

    /** Completes when versions can be generated for some time. */
    synchronized CompletionStage<Void> prepare() {
        long from = Math.max(Ticks.of(clock.instant()), last);
        if (from + AHEAD_TICKS / 2 < mark) {
            return CompletableFuture.completedFuture(null);
        }
        if (keeping.isDone()) {
            long next = from + AHEAD_TICKS;
            keeping = keep.apply(next).thenRun(() -> raise(next)).toCompletableFuture();
        }
        // Below the old mark there are enough versions for other commits.
        return from + RESERVED_TICKS < mark ? CompletableFuture.completedFuture(null) : keeping;
    }

    private synchronized void raise(long next) {
        mark = Math.max(mark, next);
    }

    /** Returns the version of a commit. It stays below the mark, even if the clock has passed it. */
    synchronized long next() {
        last = Math.max(Math.min(Ticks.of(clock.instant()), mark - RESERVED_TICKS), last + 1);
        changes++;
        return last;
    }

    /** A state to return to with {@link #takeBack}. */
    record Point(long last, long changes) {}

    synchronized Point now() {
        return new Point(last, changes);
    }

    /**
     * Takes back unused versions that were generated since a point, unless other versions were generated or seen
     * since.
     */
    synchronized void takeBack(Point since, int unused) {
        if (changes == since.changes + unused) {
            last = since.last;
        }
    }

    /** Lowers the stored mark to the last version, because no more will be generated. */
    synchronized CompletionStage<Void> finish() {
        return keeping.thenCompose(kept -> keep.apply(last));
    }

    /** Observes a version of another front end: later versions of this one are greater. */
    synchronized void seen(long version) {
        if (version > last) {
            last = version;
            changes++;
        }
    }
}
