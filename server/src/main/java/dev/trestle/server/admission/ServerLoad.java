package dev.trestle.server.admission;

import dev.trestle.model.Limits;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/** Admission control for the memory and the connections of all clients. Thread-safe. */
public final class ServerLoad {
    /** The number of further pages, besides those in flight, that must fit in memory at the size granted now. */
    private static final int SPARE_PAGES = 8;

    private static final int PAGE_BYTES_MIN = 16 * 1024;

    /** Responses count as few while they use less than this fraction of their memory, as a divisor. */
    private static final int FEW_RESPONSES = 4;

    private static final int LARGE_PIECE_BYTES = 1 << 20;
    private static final int SMALL_PIECE_BYTES = 16 * 1024;

    /** The largest small request; 8192 of them fit in the default memory. */
    private static final int SMALL_REQUEST_BYTES = 8 * 1024;

    private static final int MEDIUM_REQUEST_BYTES = 64 * 1024;

    /** The fraction of the request memory, as a divisor, that only small requests may use. */
    private static final int RESERVED_FOR_SMALL = 16;

    /** The fraction, as a divisor, that only small and medium requests may use. */
    private static final int RESERVED_FROM_LARGE = 8;

    private final ConnectionLimiter connections;
    private final Limit limits;
    private final AtomicLong requestBytes = new AtomicLong();
    private final AtomicLong responseBytes = new AtomicLong();
    private final AtomicInteger pagesInFlight = new AtomicInteger();
    private final LongAdder requestsInFlight = new LongAdder();

    /**
     * Limits on memory and connections.
     *
     * @param connectionsMax open connections
     * @param connectionsPerAddressMax open connections from one remote address
     * @param requestBytesMax memory for requests
     * @param responseBytesMax memory for large responses until their clients have read them
     */
    public record Limit(
            int connectionsMax, int connectionsPerAddressMax, long requestBytesMax, long responseBytesMax) {}

    public ServerLoad(Limit limits) {
        this.limits = limits;
        this.connections = new ConnectionLimiter(limits.connectionsMax, limits.connectionsPerAddressMax);
    }

    /**
     * Reserves memory for a request, to be {@link #release}d; returns false and reserves nothing at the limit. The
     * last of the memory is for small requests, so that large ones cannot starve them. A rejected reservation is
     * never counted, not even briefly, because it could make another thread reject a small request.
     *
     * @param whole the size of the request as far as known, including these bytes
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

    /** Like {@link #reserve} for a piece of an upload, which counts as large whatever the size of its pieces. */
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
     * Counts a response that waits for its client, to be {@link #releaseResponse}d in any case; returns false at the
     * limit.
     */
    public boolean holdResponse(long bytes) {
        return responseBytes.addAndGet(bytes) <= limits.responseBytesMax;
    }

    public void releaseResponse(long bytes) {
        responseBytes.addAndGet(-bytes);
    }

    /**
     * Returns the size of the pieces in which a large response is copied from the heap to the socket. While few
     * responses wait, pieces are large, which is cheapest. With many slow clients they are small, to bound the memory
     * of the sockets.
     */
    public int pieceBytes() {
        return responseBytes.get() <= limits.responseBytesMax / FEW_RESPONSES ? LARGE_PIECE_BYTES : SMALL_PIECE_BYTES;
    }

    /**
     * Whether waiting responses exceed their memory. Only responses to writes can cause that, because a client must
     * receive the outcome of a write. Then no further large write may begin.
     */
    public boolean responsesOverflow() {
        return responseBytes.get() > limits.responseBytesMax;
    }

    /**
     * Reads a page of rows with a size limit that depends on the load. The free memory for responses is divided
     * among the pages in flight and some more. A page may always be smaller than requested: its client continues
     * from there, and all clients make progress even if some read slowly.
     */
    public <T> CompletionStage<T> page(IntFunction<CompletionStage<T>> read) {
        int others = pagesInFlight.getAndIncrement();
        long free = limits.responseBytesMax - responseBytes.get();
        long bytes = Math.max(PAGE_BYTES_MIN, Math.min(Limits.PAGE_BYTES_MAX, free / (SPARE_PAGES + others)));
        CompletionStage<T> page;
        try {
            page = read.apply((int) bytes);
        } catch (RuntimeException e) {
            pagesInFlight.decrementAndGet();
            throw e;
        }
        return page.whenComplete((result, failure) -> pagesInFlight.decrementAndGet());
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

    /** Returns the bytes of large responses that clients have not read yet. */
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
