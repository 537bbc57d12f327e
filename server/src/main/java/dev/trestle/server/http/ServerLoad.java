package dev.trestle.server.http;

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
    private final LongAdder requestsUnderWay = new LongAdder();

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

    public long requestsUnderWay() {
        return requestsUnderWay.sum();
    }
}
