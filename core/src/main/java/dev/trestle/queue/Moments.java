package dev.trestle.queue;

import dev.trestle.model.Ticks;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** Gives moments in ticks that never go back and never repeat, whatever the clock does. For any thread. */
final class Moments {
    private final InstantSource clock;
    private final AtomicLong last = new AtomicLong();

    Moments(InstantSource clock) {
        this.clock = clock;
    }

    /** A moment that nobody was given before. */
    long next() {
        long now = Ticks.of(clock.instant());
        return last.updateAndGet(before -> Math.max(now, before + 1));
    }
}
