package dev.trestle.keyspace;

import java.util.Arrays;

/**
 * The keys from {@code from} up to, not including, {@code to}, in unsigned byte order. The arrays must not be
 * changed.
 */
public record KeyRange(byte[] from, byte[] to) {

    public boolean isEmpty() {
        return Arrays.compareUnsigned(from, to) >= 0;
    }

    public boolean contains(byte[] key) {
        return Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, to) < 0;
    }

    /** Returns the part of this range from a position on. */
    public KeyRange startingAt(byte[] position) {
        return Arrays.compareUnsigned(from, position) >= 0 ? this : new KeyRange(position, to);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyRange that && Arrays.equals(from, that.from) && Arrays.equals(to, that.to);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
    }
}
