package dev.trestle.model;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** Gives moments in ticks that never go back and never repeat, whatever the clock does. For any thread. */
public final class MonotonicTicks {
    private final InstantSource clock;
    private final AtomicLong last = new AtomicLong();

    public MonotonicTicks(InstantSource clock) {
        this.clock = clock;
    }

    /** A moment that nobody was given before. */
    public long next() {
        long now = Ticks.of(clock.instant());
        return last.updateAndGet(before -> Math.max(now, before + 1));
    }
}
