package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.admission.ServerLoad;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/**
 * The memory that one request reserves: its headers, and its body in an array that grows as the body arrives.
 * Nothing is reserved for bytes that are only announced, so slow clients hold no more than they have sent. Belongs
 * to an event loop.
 */
final class RequestMemory {
    /** The initial size of the array, which then grows by {@link #GROWTH}. */
    private static final int FIRST_BYTES = 1024;

    private static final int GROWTH = 4;

    private static final byte[] NONE = {};

    private final ServerLoad load;
    private final int bytesMax;
    private int expected;
    private byte[] bytes = NONE;
    private int length;
    private long reserved;

    /** @param bytesMax the maximum length of the body */
    RequestMemory(ServerLoad load, int bytesMax) {
        this.load = load;
        this.bytesMax = bytesMax;
    }

    /** Sets the length that the client announced. */
    void expect(int announced) {
        expected = announced;
    }

    /**
     * Appends bytes that have arrived.
     *
     * @throws StorageException if the body is too long, or the memory for requests is exhausted
     */
    void add(Buffer chunk) {
        int total = length + chunk.length();
        if (total > bytesMax) {
            throw new StorageException(StorageError.REQUEST_BODY_TOO_LARGE);
        }
        if (total > bytes.length) {
            grow(total);
        }
        chunk.getBytes(bytes, length);
        length = total;
    }

    /** Takes over bytes that are already reserved, to release them with the rest. */
    void hold(long counted) {
        reserved += counted;
    }

    /** Reserves more bytes; returns false if the memory for requests is exhausted. */
    boolean reserve(long more) {
        // A body that is announced as large counts as large from its first byte.
        if (!load.reserve(more, Math.max(expected, reserved + more))) {
            return false;
        }
        reserved += more;
        return true;
    }

    private void grow(int least) {
        int usual = Math.max(FIRST_BYTES, bytes.length * GROWTH);
        int most = expected >= least ? expected : bytesMax;
        int grown = Math.max(least, Math.min(usual, most));
        int more = grown - bytes.length;
        if (!reserve(more)) {
            throw new StorageException(StorageError.SERVER_BUSY);
        }
        bytes = Arrays.copyOf(bytes, grown);
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Releases all reserved memory; the array must not be used afterwards. Idempotent. */
    void release() {
        if (reserved > 0) {
            load.release(reserved);
            reserved = 0;
        }
        bytes = NONE;
        length = 0;
    }
}
