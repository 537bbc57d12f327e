package dev.trestle.engine.hbase;

import dev.trestle.model.Ticks;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

/**
 * Gives commits their versions: the time, and always more than the last. No version is given that is not below a mark kept
 * in the cluster, so that after a restart the next ones are greater also when the clock went back meanwhile.
 */
final class Versions {
    private static final long AHEAD_TICKS = Duration.ofSeconds(2).toNanos() / 100;

    /** So many may be given by those who found everything prepared, before they have to ask again. */
    private static final long RESERVED_TICKS = AHEAD_TICKS / 4;

    private final InstantSource clock;
    private final LongFunction<CompletionStage<Void>> keep;
    private long last;
    private long changes;
    private long mark;
    private CompletableFuture<Void> keeping = CompletableFuture.completedFuture(null);

    /**
     * @param mark the one kept
     * @param keep makes the cluster keep another
     */
    Versions(InstantSource clock, long mark, LongFunction<CompletionStage<Void>> keep) {
        this.clock = clock;
        this.keep = keep;
        this.last = mark;
        this.mark = mark;
    }

    /** Completes when versions can be given for some time. */
    synchronized CompletionStage<Void> prepare() {
        long from = Math.max(Ticks.of(clock.instant()), last);
        if (from + AHEAD_TICKS / 2 < mark) {
            return CompletableFuture.completedFuture(null);
        }
        if (keeping.isDone()) {
            long next = from + AHEAD_TICKS;
            keeping = keep.apply(next).thenRun(() -> raise(next)).toCompletableFuture();
        }
        // What is left of the old mark is enough for others to go on with meanwhile.
        return from + RESERVED_TICKS < mark ? CompletableFuture.completedFuture(null) : keeping;
    }

    private synchronized void raise(long next) {
        mark = Math.max(mark, next);
    }

    /** The version of a commit; below the mark however late it is asked for, which is only behind the clock then. */
    synchronized long next() {
        last = Math.max(Math.min(Ticks.of(clock.instant()), mark - RESERVED_TICKS), last + 1);
        changes++;
        return last;
    }

    /** Where the giving of versions stands. */
    record Point(long last, long changes) {}

    synchronized Point now() {
        return new Point(last, changes);
    }

    /** So many were given since then and not used: they are given again, unless something else has happened meanwhile. */
    synchronized void takeBack(Point since, int unused) {
        if (changes == since.changes + unused) {
            last = since.last;
        }
    }

    /** No more will be given: the mark comes down to the last, so that the next ones go on from there. */
    synchronized CompletionStage<Void> finish() {
        return keeping.thenCompose(kept -> keep.apply(last));
    }

    /** A version that another front end gave: what is given here from now on is greater. */
    synchronized void seen(long version) {
        if (version > last) {
            last = version;
            changes++;
        }
    }
}
