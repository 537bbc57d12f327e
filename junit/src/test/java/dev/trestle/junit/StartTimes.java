package dev.trestle.junit;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;

/** Measures the start time of the first server of a JVM and of later ones. */
final class StartTimes {
    private static final int LATER = 20;

    private StartTimes() {}

    public static void main(String[] arguments) {
        long jvmStart = ManagementFactory.getRuntimeMXBean().getUptime();
        Duration first = start();
        Duration[] later = new Duration[LATER];
        Arrays.setAll(later, i -> start());
        Arrays.sort(later);
        System.out.printf("JVM until main  %5d ms%n", jvmStart);
        System.out.printf("first server    %5d ms%n", first.toMillis());
        System.out.printf(
                "later servers   %5d ms, the slowest of %d %d ms%n",
                later[LATER / 2].toMillis(), LATER, later[LATER - 1].toMillis());
    }

    private static Duration start() {
        long begin = System.nanoTime();
        try (Trestle server = Trestle.start()) {
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            return server.endpoints().isEmpty() ? Duration.ZERO : took;
        }
    }
}
