package dev.trestle.benchmarks.load;

import java.util.concurrent.locks.LockSupport;

/** The clock of a round. */
interface Ticker {
    Ticker SYSTEM = new Ticker() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void waitUntil(long nanos) {
            for (long rest = nanos - nanoTime(); rest > 0; rest = nanos - nanoTime()) {
                LockSupport.parkNanos(rest);
            }
        }
    };

    /** Like {@link System#nanoTime}. */
    long nanoTime();

    /** Returns when {@link #nanoTime} has reached this time. */
    void waitUntil(long nanos);
}
