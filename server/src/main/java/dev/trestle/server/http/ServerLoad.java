package dev.trestle.server.http;

import dev.trestle.model.Limits;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What all event loops together hold for their clients, kept within its limits. For any thread. */
public final class ServerLoad {
    private final int connectionsMax;
    private final long bufferedBytesMax;
    private final AtomicInteger connections = new AtomicInteger();
    private final LongAdder connectionsRefused = new LongAdder();
    private final AtomicLong bufferedBytes = new AtomicLong();
    private final AtomicLong answerBytes = new AtomicLong();
    private final LongAdder requestsUnderWay = new LongAdder();

    /** So many pages of the size now granted could still be made at once. */
    private static final int PAGES_AT_ONCE = 16;

    private static final int PAGE_BYTES_MIN = 16 * 1024;

    ServerLoad(HttpConfig config) {
        this.connectionsMax = config.connectionsMax();
        this.bufferedBytesMax = config.bufferedBytesMax();
    }

    /** Whether there is room for one more connection; if so it must {@link #leave}. */
    boolean enter() {
        if (connections.incrementAndGet() <= connectionsMax) {
            return true;
        }
        connections.decrementAndGet();
        connectionsRefused.increment();
        return false;
    }

    void leave() {
        connections.decrementAndGet();
    }

    /** Counts bytes that will be held, to be {@link #release}d in any case; false when they are too many. */
    boolean reserve(long bytes) {
        return bufferedBytes.addAndGet(bytes) <= bufferedBytesMax;
    }

    void release(long bytes) {
        bufferedBytes.addAndGet(-bytes);
    }

    /** Counts an answer that waits for its client to take it, to be {@link #taken} in any case; false when too many. */
    boolean waiting(long bytes) {
        return answerBytes.addAndGet(bytes) <= HttpLimits.ANSWER_BYTES_MAX;
    }

    void taken(long bytes) {
        answerBytes.addAndGet(-bytes);
    }

    /**
     * How large a page of rows may be now. A page may always be smaller than it could: its client comes back for the
     * rest, and everybody is served while others read slowly.
     */
    int pageBytes() {
        long free = HttpLimits.ANSWER_BYTES_MAX - answerBytes.get();
        return (int) Math.max(PAGE_BYTES_MIN, Math.min(Limits.PAGE_BYTES_MAX, free / PAGES_AT_ONCE));
    }

    void begin() {
        requestsUnderWay.increment();
    }

    void end() {
        requestsUnderWay.decrement();
    }

    public int connections() {
        return connections.get();
    }

    public int connectionsMax() {
        return connectionsMax;
    }

    /** Connections closed because there were too many, since the start. */
    public long connectionsRefused() {
        return connectionsRefused.sum();
    }

    public long bufferedBytes() {
        return bufferedBytes.get();
    }

    public long bufferedBytesMax() {
        return bufferedBytesMax;
    }

    /** Bytes of large answers that clients have not taken yet. */
    public long answerBytes() {
        return answerBytes.get();
    }

    public long requestsUnderWay() {
        return requestsUnderWay.sum();
    }
}
