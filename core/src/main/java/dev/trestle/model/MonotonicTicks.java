package dev.trestle.model;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A source of strictly increasing times in ticks, even if the clock goes backwards. Thread-safe. */
public final class MonotonicTicks {
    private final InstantSource clock;
    private final AtomicLong last = new AtomicLong();

    public MonotonicTicks(InstantSource clock) {
        this.clock = clock;
    }

    /** Returns a time later than all returned before. */
    public long next() {
        long now = Ticks.of(clock.instant());
        return last.updateAndGet(before -> Math.max(now, before + 1));
    }
}
