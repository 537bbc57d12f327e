package dev.trestle.engine.rocksdb;

import dev.trestle.engine.support.Uninterruptible;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the operations in native code, so that the store is never closed during one of them: using a released
 * native handle crashes the process. Thread-safe; only {@link #shut} blocks.
 */
final class UsageLatch {
    /** The sign bit. The other bits are the number of operations. */
    private static final int SHUT = Integer.MIN_VALUE;

    private final AtomicInteger state = new AtomicInteger();

    /** Starts an operation, which must {@link #leave}; returns false if the latch is shut. */
    boolean enter() {
        if (state.incrementAndGet() > 0) {
            return true;
        }
        leave();
        return false;
    }

    /** Ends an operation. */
    void leave() {
        if (state.decrementAndGet() == SHUT) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Rejects further operations, and returns when those in flight have ended. */
    void shut() {
        state.updateAndGet(old -> old | SHUT);
        Uninterruptible.run(this::awaitIdle);
    }

    private synchronized void awaitIdle() throws InterruptedException {
        while (state.get() != SHUT) {
            wait();
        }
    }

    /** Accepts operations again. */
    void open() {
        state.updateAndGet(old -> old & ~SHUT);
    }
}
