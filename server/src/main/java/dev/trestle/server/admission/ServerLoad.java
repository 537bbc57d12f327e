package dev.trestle.server.admission;

import dev.trestle.model.Limits;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/** The memory and the connections that all clients together hold, kept within limits. Thread-safe. */
public final class ServerLoad {
    /** Beside the pages in flight, so many more of the size granted now could be made. */
    private static final int SPARE_PAGES = 8;

    private static final int PAGE_BYTES_MIN = 16 * 1024;

    /** Responses are few while they hold less than this part of what they may, one in so many. */
    private static final int FEW_RESPONSES = 4;

    private static final int LARGE_PIECE_BYTES = 1 << 20;
    private static final int SMALL_PIECE_BYTES = 16 * 1024;

    /** Requests up to this size are small; 8192 of them fit in the default memory. */
    private static final int SMALL_REQUEST_BYTES = 8 * 1024;

    private static final int MEDIUM_REQUEST_BYTES = 64 * 1024;

    /** The part of the memory for requests, one in so many, that only small ones may use. */
    private static final int RESERVED_FOR_SMALL = 16;

    /** The part that only small and medium ones may use. */
    private static final int RESERVED_FROM_LARGE = 8;

    private final ConnectionLimiter connections;
    private final Limit limits;
    private final AtomicLong requestBytes = new AtomicLong();
    private final AtomicLong responseBytes = new AtomicLong();
    private final AtomicInteger pagesInFlight = new AtomicInteger();
    private final LongAdder requestsInFlight = new LongAdder();

    /**
     * The limits.
     *
     * @param connectionsMax open connections
     * @param connectionsPerAddressMax those from one remote address
     * @param requestBytesMax requests held in memory
     * @param responseBytesMax large responses held in memory until their clients have read them
     */
    public record Limit(
            int connectionsMax, int connectionsPerAddressMax, long requestBytesMax, long responseBytesMax) {}

    public ServerLoad(Limit limits) {
        this.limits = limits;
        this.connections = new ConnectionLimiter(limits.connectionsMax, limits.connectionsPerAddressMax);
    }

    /**
     * Reserves bytes that a request will hold, to be {@link #release}d; returns false, with nothing reserved, when they are
     * too many. The last of the memory is for small requests, so that large ones, however many and slow, leave it to them. A
     * refused reservation is never counted, not even for a moment: another thread would refuse a small request for it.
     *
     * @param whole the size of the request as far as it is known, including these bytes
     */
    public boolean reserve(long bytes, long whole) {
        long max = limits.requestBytesMax - reservedFrom(whole);
        long before;
        do {
            before = requestBytes.get();
            if (before + bytes > max) {
                return false;
            }
        } while (!requestBytes.compareAndSet(before, before + bytes));
        return true;
    }

    /** Like {@link #reserve}, for a piece of an upload, which counts as large however small its pieces are. */
    public boolean reservePiece(long bytes) {
        return reserve(bytes, Long.MAX_VALUE);
    }

    private long reservedFrom(long whole) {
        if (whole <= SMALL_REQUEST_BYTES) {
            return 0;
        }
        return limits.requestBytesMax / (whole <= MEDIUM_REQUEST_BYTES ? RESERVED_FOR_SMALL : RESERVED_FROM_LARGE);
    }

    public void release(long bytes) {
        requestBytes.addAndGet(-bytes);
    }

    /**
     * Counts a response that waits for its client to read it, to be {@link #releaseResponse}d in any case; returns false when
     * there are too many.
     */
    public boolean holdResponse(long bytes) {
        return responseBytes.addAndGet(bytes) <= limits.responseBytesMax;
    }

    public void releaseResponse(long bytes) {
        responseBytes.addAndGet(-bytes);
    }

    /**
     * How much of a large response may be on its way from the heap to the socket. While few responses wait they go nearly
     * whole, which is cheapest; what many slow clients have there must be little each.
     */
    public int pieceBytes() {
        return responseBytes.get() <= limits.responseBytesMax / FEW_RESPONSES ? LARGE_PIECE_BYTES : SMALL_PIECE_BYTES;
    }

    /**
     * Whether more responses wait than may. Only those to writes can bring that about: a client has to learn what was done, so
     * large writes must not be begun.
     */
    public boolean responsesOverflow() {
        return responseBytes.get() > limits.responseBytesMax;
    }

    /**
     * Makes a page of rows within a number of bytes. The memory for responses is shared with the pages in flight and some more
     * to come. A page may always be smaller than it could: its client comes back for the rest, and all clients are served
     * while others read slowly or ask for much at once.
     */
    public <T> CompletionStage<T> page(IntFunction<CompletionStage<T>> make) {
        int others = pagesInFlight.getAndIncrement();
        long free = limits.responseBytesMax - responseBytes.get();
        long bytes = Math.max(PAGE_BYTES_MIN, Math.min(Limits.PAGE_BYTES_MAX, free / (SPARE_PAGES + others)));
        CompletionStage<T> page;
        try {
            page = make.apply((int) bytes);
        } catch (RuntimeException e) {
            pagesInFlight.decrementAndGet();
            throw e;
        }
        return page.whenComplete((made, failure) -> pagesInFlight.decrementAndGet());
    }

    public void beginRequest() {
        requestsInFlight.increment();
    }

    public void endRequest() {
        requestsInFlight.decrement();
    }

    public ConnectionLimiter connectionLimiter() {
        return connections;
    }

    public long requestBytes() {
        return requestBytes.get();
    }

    /** Bytes of large responses that clients have not read yet. */
    public long responseBytes() {
        return responseBytes.get();
    }

    public long requestsInFlight() {
        return requestsInFlight.sum();
    }

    public Limit limits() {
        return limits;
    }
}
