package dev.trestle.benchmarks.load;

import java.util.Locale;

/** How a workload's pace is chosen. */
public sealed interface Mode {
    /** Each connection sends when its last answer is there: how much a server can do, and what it costs. */
    record Closed() implements Mode {
        @Override
        public String toString() {
            return "closed loop";
        }
    }

    /** So many requests a second, whatever the server does: what a user finds. */
    record Open(double requestsPerSecond) implements Mode {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "open loop, %,.0f requests/s", requestsPerSecond);
        }
    }

    /** An open loop at a share of what a closed one reaches. */
    record Share(double share) implements Mode {
        /** Returns the open loop at this share of a rate. */
        Open of(double requestsPerSecond) {
            return new Open(Math.max(1, share * requestsPerSecond));
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "open loop at %.0f %% of what a closed one reaches", share * 100);
        }
    }
}
