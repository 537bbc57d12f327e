package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.admission.ServerLoad;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/**
 * What one request takes of the memory for requests: its body, in an array that grows as it arrives. Nothing is taken
 * for what a client only announces, so that many slow senders hold no more than they have sent. Belongs to an event loop.
 */
final class RequestMemory {
    /** Where an array starts; each that is too small is followed by one four times its size. */
    private static final int FIRST_BYTES = 1024;

    private static final int GROWTH = 4;

    private final ServerLoad load;
    private final int bytesMax;
    private int expected;
    private byte[] bytes = {};
    private int length;
    private long reserved;

    /** @param bytesMax how long a body may be */
    RequestMemory(ServerLoad load, int bytesMax) {
        this.load = load;
        this.bytesMax = bytesMax;
    }

    /** The body will be this long, if its sender keeps to it. */
    void expect(int announced) {
        expected = announced;
    }

    /**
     * Adds what has arrived.
     *
     * @throws StorageException when the body or all of them together get too large
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

    /** Releases later, with the rest, what has been counted already. */
    void hold(long counted) {
        reserved += counted;
    }

    /** Counts what else the request holds; false when it is too much. */
    boolean reserve(long more) {
        // A body that is announced as large is large from its first byte on.
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

    /** Gives back what was taken; the bytes are not to be used any more. May be called again. */
    void release() {
        load.release(reserved);
        reserved = 0;
        bytes = new byte[0];
        length = 0;
    }
}
