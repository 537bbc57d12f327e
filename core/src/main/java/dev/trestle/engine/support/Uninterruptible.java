package dev.trestle.engine.support;

/** Waits that must not end early. */
public final class Uninterruptible {
    private Uninterruptible() {}

    /** A wait that may be repeated. */
    @FunctionalInterface
    public interface Wait {
        void run() throws InterruptedException;
    }

    /**
     * Repeats the wait until it returns without being interrupted, and then restores the interrupt flag of the
     * thread.
     */
    public static void run(Wait wait) {
        boolean interrupted = false;
        while (true) {
            try {
                wait.run();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
