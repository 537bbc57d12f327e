package dev.trestle.conformance;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Polls conditions that become true asynchronously. */
final class Deadline {
    private static final Duration TIME_MAX = Duration.ofSeconds(30);

    private Deadline() {}

    /** Returns when the condition is true; fails with the description if that takes longer than 30 seconds. */
    static void await(Supplier<String> description, BooleanSupplier condition) {
        await(TIME_MAX, description, condition);
    }

    /** Like {@link #await(Supplier, BooleanSupplier)}, with another deadline. */
    static void await(Duration timeMax, Supplier<String> description, BooleanSupplier condition) {
        try {
            Awaitility.await()
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(timeMax)
                    .until(condition::getAsBoolean);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("not within " + timeMax + ": " + description.get(), e);
        }
    }
}
