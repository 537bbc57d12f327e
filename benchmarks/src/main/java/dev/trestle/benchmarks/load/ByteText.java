package dev.trestle.benchmarks.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A text builder that encodes into a byte array, which it reuses for each request. */
final class ByteText {
    private byte[] data = new byte[1024];
    private int length;

    ByteText clear() {
        length = 0;
        return this;
    }

    byte[] data() {
        return data;
    }

    int length() {
        return length;
    }

    ByteText text(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    ByteText bytes(byte[] bytes) {
        return bytes(bytes, 0, bytes.length);
    }

    ByteText bytes(byte[] bytes, int from, int count) {
        reserve(count);
        System.arraycopy(bytes, from, data, length, count);
        length += count;
        return this;
    }

    /** Appends a non-negative number. */
    ByteText number(long value) {
        int digits = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            digits++;
        }
        return padded(value, digits);
    }

    /** Appends the last digits of a non-negative number, padded with zeros. */
    ByteText padded(long value, int digits) {
        reserve(digits);
        long rest = value;
        for (int i = length + digits - 1; i >= length; i--) {
            data[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
        return this;
    }

    /** Appends a big-endian integer of this many bytes. */
    ByteText binary(int value, int bytes) {
        reserve(bytes);
        for (int shift = (bytes - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            data[length++] = (byte) (value >> shift);
        }
        return this;
    }

    private void reserve(int count) {
        if (length + count > data.length) {
            data = Arrays.copyOf(data, Math.max(data.length * 2, length + count));
        }
    }

    @Override
    public String toString() {
        return new String(data, 0, length, StandardCharsets.UTF_8);
    }
}
