package dev.trestle.engine.rocksdb;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the operations that are inside native code, so that the store is never closed under one of them: a native
 * handle used after its release takes the process down. For any thread; {@link #shut} waits, nothing else does.
 */
final class UsageLatch {
    /** The sign bit; the rest of the state is the number of operations inside. */
    private static final int SHUT = Integer.MIN_VALUE;

    private final AtomicInteger state = new AtomicInteger();

    /** Whether the caller may go in; if so it must {@link #leave}. */
    boolean enter() {
        if (state.incrementAndGet() > 0) {
            return true;
        }
        leave();
        return false;
    }

    void leave() {
        if (state.decrementAndGet() == SHUT) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Lets nobody in any more and returns when everybody has left. */
    void shut() {
        state.updateAndGet(old -> old | SHUT);
        boolean interrupted = false;
        synchronized (this) {
            while (state.get() != SHUT) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void open() {
        state.updateAndGet(old -> old & ~SHUT);
    }
}
