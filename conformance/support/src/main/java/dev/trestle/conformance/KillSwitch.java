package dev.trestle.conformance;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Kills a server as soon as its clients have come to a certain moment; the client that gets there does it at once. */
final class KillSwitch {
    /** When to kill. */
    enum Moment {
        AFTER_A_WRITE,
        AFTER_A_TABLE_IS_DROPPED,
        DURING_A_LARGE_TRANSACTION
    }

    private final TrestleProcess server;
    private final Moment moment;
    private final AtomicInteger writesLeft;

    /** @param writes requests to be acknowledged before the moment counts */
    KillSwitch(TrestleProcess server, Moment moment, int writes) {
        this.server = server;
        this.moment = moment;
        this.writesLeft = new AtomicInteger(writes);
    }

    /** Whether the kill is due as soon as a client reaches this moment. */
    boolean awaits(Moment wanted) {
        return moment == wanted && writesLeft.get() <= 0;
    }

    /** Reports that a client has reached the moment. */
    void at(Moment reached) {
        after(Duration.ZERO, reached);
    }

    /** Reports that a client reaches the moment after this delay. */
    void after(Duration delay, Moment reached) {
        if (awaits(reached)) {
            server.process().exitsWithin(delay);
            server.process().requestKill();
        }
    }

    void acknowledged() {
        writesLeft.decrementAndGet();
        at(Moment.AFTER_A_WRITE);
    }
}
