package dev.trestle.patterns;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Polls conditions that become true asynchronously. */
public final class Eventually {
    private Eventually() {}

    /** Returns when the condition is true; fails if that takes longer than 30 seconds. */
    public static void await(String description, Callable<Boolean> condition) {
        Awaitility.await(description)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(30))
                .until(condition);
    }
}
