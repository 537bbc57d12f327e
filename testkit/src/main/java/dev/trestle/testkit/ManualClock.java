package dev.trestle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved, forwards or backwards. For any thread. */
public final class ManualClock implements InstantSource {
    private volatile Instant now;

    public ManualClock(Instant now) {
        this.now = now;
    }

    @Override
    public Instant instant() {
        return now;
    }

    public void set(Instant moment) {
        now = moment;
    }

    /** Moves by the duration, which may be negative. For one thread at a time. */
    public void move(Duration duration) {
        now = instant().plus(duration);
    }
}
