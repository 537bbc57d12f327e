package dev.trestle.keyspace;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * Where a row lives, as bytes whose unsigned order is the order of collection, then partition key, then row key:
 *
 * <pre>collection (8 bytes) | partition key | 00 01 | row key</pre>
 *
 * <p>Strings are {@link Cesu8}; a U+0000 inside one is written {@code 00 FF}, so that {@code 00 01} occurs exactly once
 * and a shorter string sorts before its extensions. A collection is a number whose eight bytes are all non-zero, for
 * the same reason.
 */
public final class Key implements Comparable<Key> {
    static final int COLLECTION_BYTES = 8;
    private static final byte SEPARATOR_1 = 0x00;
    private static final byte SEPARATOR_2 = 0x01;
    private static final byte AFTER_SEPARATOR_2 = 0x02;
    private static final byte ESCAPED = (byte) 0xFF;

    private final byte[] bytes;

    private Key(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Key of(long collection, String partitionKey, String rowKey) {
        return new Key(position(collection, partitionKey, new byte[] {SEPARATOR_1, SEPARATOR_2}, rowKey, 0));
    }

    /** A key from the bytes an engine stored; the array is kept, not copied. */
    public static Key ofBytes(byte[] bytes) {
        return new Key(bytes);
    }

    /** The bytes themselves; not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    public String partitionKey() {
        int separator = separator(bytes, 0, bytes.length);
        return decode(bytes, COLLECTION_BYTES, separator - COLLECTION_BYTES);
    }

    public String rowKey() {
        int start = separator(bytes, 0, bytes.length) + 2;
        return decode(bytes, start, bytes.length - start);
    }

    /** The collection, as the first eight bytes name it. */
    public long collection() {
        return collection(bytes);
    }

    static long collection(byte[] key) {
        long collection = 0;
        for (int i = 0; i < COLLECTION_BYTES; i++) {
            collection = collection << 8 | (key[i] & 0xFF);
        }
        return collection;
    }

    /** How long that is which ends the partition key. */
    public static final int SEPARATOR_BYTES = 2;

    /** Position of the {@code 00 01} that ends the partition key of the encoded key in {@code bytes}. */
    public static int separator(byte[] bytes, int offset, int length) {
        int end = offset + length - 1;
        for (int i = offset + COLLECTION_BYTES; i < end; i++) {
            if (bytes[i] == SEPARATOR_1 && bytes[i + 1] == SEPARATOR_2) {
                return i;
            }
        }
        throw new IllegalStateException("not a row key: " + HexFormat.of().formatHex(bytes, offset, offset + length));
    }

    /** Position of the partition key's first byte within an encoded key. */
    public static int partitionKeyStart() {
        return COLLECTION_BYTES;
    }

    /** The least position at or after every row of a smaller partition key and before all rows of this one. */
    public static byte[] beforePartition(long collection, String partitionKey) {
        return position(collection, partitionKey, new byte[0], "", 0);
    }

    /** The position after all rows of the partition. */
    public static byte[] afterPartition(long collection, String partitionKey) {
        return position(collection, partitionKey, new byte[] {SEPARATOR_1, AFTER_SEPARATOR_2}, "", 0);
    }

    /** The position just after the row: the row's own key is below it, every later one at or above it. */
    public static byte[] afterRow(long collection, String partitionKey, String rowKey) {
        return position(collection, partitionKey, new byte[] {SEPARATOR_1, SEPARATOR_2}, rowKey, 1);
    }

    /** All rows of a collection. */
    public static KeyRange collectionRange(long collection) {
        byte[] from = beforePartition(collection, "");
        // No string begins with this byte, so it ends the collection; adding one would overflow for the last of them.
        byte[] to = Arrays.copyOf(from, from.length + 1);
        to[from.length] = (byte) 0xFF;
        return new KeyRange(from, to);
    }

    private static byte[] position(
            long collection, String partitionKey, byte[] separator, String rowKey, int trailingZeros) {
        byte[] encoded = new byte
                [COLLECTION_BYTES
                        + encodedLength(partitionKey)
                        + separator.length
                        + encodedLength(rowKey)
                        + trailingZeros];
        for (int i = 0; i < COLLECTION_BYTES; i++) {
            encoded[i] = (byte) (collection >>> (56 - 8 * i));
            if (encoded[i] == 0) {
                throw new IllegalArgumentException("a collection has no zero byte: " + Long.toHexString(collection));
            }
        }
        int p = encode(partitionKey, encoded, COLLECTION_BYTES);
        System.arraycopy(separator, 0, encoded, p, separator.length);
        encode(rowKey, encoded, p + separator.length);
        return encoded;
    }

    private static int encodedLength(String text) {
        int zeros = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == 0) {
                zeros++;
            }
        }
        return Cesu8.length(text) + zeros;
    }

    private static int encode(String text, byte[] target, int at) {
        if (text.indexOf(0) < 0) {
            return Cesu8.encode(text, target, at);
        }
        int p = at;
        for (int i = 0; i < text.length(); i++) {
            p = Cesu8.encode(text.substring(i, i + 1), target, p);
            if (text.charAt(i) == 0) {
                target[p++] = ESCAPED;
            }
        }
        return p;
    }

    /** The string in an encoded key. */
    public static String decode(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] == 0) {
                return decodeEscaped(bytes, offset, length);
            }
        }
        return Cesu8.decode(bytes, offset, length);
    }

    private static String decodeEscaped(byte[] bytes, int offset, int length) {
        byte[] plain = new byte[length];
        int p = 0;
        for (int i = offset; i < offset + length; i++) {
            plain[p++] = bytes[i];
            if (bytes[i] == 0) {
                i++;
            }
        }
        return Cesu8.decode(plain, 0, p);
    }

    /** Whether the key's bytes begin with these. */
    public boolean startsWith(byte[] prefix) {
        return bytes.length >= prefix.length && Arrays.mismatch(bytes, 0, prefix.length, prefix, 0, prefix.length) < 0;
    }

    @Override
    public int compareTo(Key other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "('" + partitionKey() + "','" + rowKey() + "')";
    }
}
