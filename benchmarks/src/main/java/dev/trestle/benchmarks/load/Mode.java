package dev.trestle.benchmarks.load;

import java.util.Locale;

/** How the request rate of a workload is chosen. */
public sealed interface Mode {
    /** Each connection sends its next request after the response to the last one: shows throughput and CPU time per request. */
    record Closed() implements Mode {
        @Override
        public String toString() {
            return "closed loop";
        }
    }

    /** A fixed request rate, whatever the server does: shows the latency that users see. */
    record Open(double requestsPerSecond) implements Mode {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "open loop, %,.0f requests/s", requestsPerSecond);
        }
    }

    /** An open loop at a share of the rate of a closed one. */
    record Share(double share) implements Mode {
        /** Returns the open loop at this share of a rate. */
        Open of(double requestsPerSecond) {
            return new Open(Math.max(1, share * requestsPerSecond));
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "open loop at %.0f %% of the rate of a closed one", share * 100);
        }
    }
}
