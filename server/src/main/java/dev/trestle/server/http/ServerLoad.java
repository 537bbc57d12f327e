package dev.trestle.server.http;

import dev.trestle.model.Limits;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/** What all event loops together hold for their clients, kept within its limits. For any thread. */
public final class ServerLoad {
    private final ConnectionLimiter connections;
    private final long bufferedBytesMax;
    private final long answerBytesMax;
    private final AtomicLong bufferedBytes = new AtomicLong();
    private final AtomicLong answerBytes = new AtomicLong();
    private final AtomicInteger pagesUnderWay = new AtomicInteger();
    private final LongAdder requestsUnderWay = new LongAdder();

    /** So many pages of the size now granted could still be made, beside those under way. */
    private static final int PAGES_AT_ONCE = 8;

    private static final int PAGE_BYTES_MIN = 16 * 1024;

    /** Few answers are those that take one byte in so many of what may wait. */
    private static final int FEW_ANSWERS = 4;

    private static final int LARGE_PIECE_BYTES = 1 << 20;
    private static final int SMALL_PIECE_BYTES = 16 * 1024;

    /** Requests up to this size are small; 8192 of them fit in the default memory. */
    private static final int SMALL_REQUEST_BYTES = 8 * 1024;

    private static final int MEDIUM_REQUEST_BYTES = 64 * 1024;

    /** The part of the memory for requests, one in so many, that only small ones may use. */
    private static final int RESERVED_FOR_SMALL = 16;

    /** The part that only small and medium ones may use. */
    private static final int RESERVED_FROM_LARGE = 8;

    public ServerLoad(HttpConfig config) {
        this.connections = new ConnectionLimiter(config.connectionsMax(), config.connectionsPerAddressMax());
        this.bufferedBytesMax = config.bufferedBytesMax();
        this.answerBytesMax = config.answerBytesMax();
    }

    /**
     * Reserves bytes that a request will hold, to be {@link #release}d; false, with nothing reserved, when they are too
     * many. The last of the memory is for small requests, so that large ones, however many and slow, leave it to them. A
     * refused reservation is never counted, not even for a moment: another thread would refuse a small request for it.
     *
     * @param whole the size of the request as far as it is known, these bytes included
     */
    boolean reserve(long bytes, long whole) {
        long max = bufferedBytesMax - reservedFrom(whole);
        long before;
        do {
            before = bufferedBytes.get();
            if (before + bytes > max) {
                return false;
            }
        } while (!bufferedBytes.compareAndSet(before, before + bytes));
        return true;
    }

    /** Like {@link #reserve}, for a piece of an upload, which counts as large however small its pieces are. */
    boolean reservePiece(long bytes) {
        return reserve(bytes, Long.MAX_VALUE);
    }

    private long reservedFrom(long whole) {
        if (whole <= SMALL_REQUEST_BYTES) {
            return 0;
        }
        return bufferedBytesMax / (whole <= MEDIUM_REQUEST_BYTES ? RESERVED_FOR_SMALL : RESERVED_FROM_LARGE);
    }

    void release(long bytes) {
        bufferedBytes.addAndGet(-bytes);
    }

    /** Counts an answer that waits for its client to take it, to be {@link #taken} in any case; false when too many. */
    boolean waiting(long bytes) {
        return answerBytes.addAndGet(bytes) <= answerBytesMax;
    }

    /**
     * How much of a large answer may be on its way from the heap to the socket. While few answers wait they go nearly
     * whole, which is cheapest; what many slow clients have there must be little each.
     */
    int pieceBytes() {
        return answerBytes.get() <= answerBytesMax / FEW_ANSWERS ? LARGE_PIECE_BYTES : SMALL_PIECE_BYTES;
    }

    /**
     * Whether more answers wait than may. Only those to writes can bring that about: what was done has to be told, so
     * large writes must not be begun.
     */
    boolean answersOverflow() {
        return answerBytes.get() > answerBytesMax;
    }

    void taken(long bytes) {
        answerBytes.addAndGet(-bytes);
    }

    /**
     * Makes a page of rows, told how many bytes it may have. The room for answers is shared with the pages under way and
     * some more to come. A page may always be smaller than it could: its client comes back for the rest, and everybody
     * is served while others read slowly or ask for much at once.
     */
    <T> CompletionStage<T> page(IntFunction<CompletionStage<T>> make) {
        int others = pagesUnderWay.getAndIncrement();
        long free = answerBytesMax - answerBytes.get();
        long bytes = Math.max(PAGE_BYTES_MIN, Math.min(Limits.PAGE_BYTES_MAX, free / (PAGES_AT_ONCE + others)));
        CompletionStage<T> page;
        try {
            page = make.apply((int) bytes);
        } catch (RuntimeException e) {
            pagesUnderWay.decrementAndGet();
            throw e;
        }
        return page.whenComplete((made, failure) -> pagesUnderWay.decrementAndGet());
    }

    void begin() {
        requestsUnderWay.increment();
    }

    void end() {
        requestsUnderWay.decrement();
    }

    ConnectionLimiter limiter() {
        return connections;
    }

    public int connections() {
        return connections.connections();
    }

    public int connectionsMax() {
        return connections.connectionsMax();
    }

    public int connectionsPerAddressMax() {
        return connections.perNetworkMax();
    }

    /** Connections closed at once because there were too many and none was idle, since the start. */
    public long connectionsRefused() {
        return connections.refused();
    }

    /** Idle connections closed to make room for new ones, since the start. */
    public long connectionsEvicted() {
        return connections.evicted();
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

    public long answerBytesMax() {
        return answerBytesMax;
    }

    public long requestsUnderWay() {
        return requestsUnderWay.sum();
    }
}
