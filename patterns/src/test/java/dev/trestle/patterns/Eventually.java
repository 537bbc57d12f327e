package dev.trestle.patterns;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Polls conditions that become true asynchronously. */
public final class Eventually {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private Eventually() {}

    /** Returns when the condition is true; fails if that takes longer than 30 seconds. */
    public static void await(String description, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Timed out after " + TIMEOUT.toSeconds() + " s waiting for: " + description);
            }
            try {
                Thread.sleep(INTERVAL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("Interrupted while waiting for: " + description, e);
            }
        }
    }
}
