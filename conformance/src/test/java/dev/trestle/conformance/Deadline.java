package dev.trestle.conformance;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for what happens elsewhere, with an end to the waiting. */
final class Deadline {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private Deadline() {}

    /** Returns once the condition holds; fails with the description when it does not within half a minute. */
    static void await(Supplier<String> description, BooleanSupplier condition) {
        await(PATIENCE, description, condition);
    }

    /** The same with another patience. */
    static void await(Duration patience, Supplier<String> description, BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + patience + ": " + description.get());
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(BETWEEN_LOOKS.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }
}
