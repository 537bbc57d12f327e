package dev.trestle.keyspace;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The encoded key of a row. Its unsigned byte order is the order of collection, then partition key, then row key:
 *
 * <pre>collection (8 bytes) | partition key | 00 01 | row key</pre>
 *
 * <p>Strings are {@link Cesu8}, with U+0000 escaped as {@code 00 FF}. So {@code 00 01} occurs exactly once, and a
 * string sorts before its extensions. For the same reason, no byte of a collection id is zero.
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

    /** Returns the key of stored bytes. The array is not copied. */
    public static Key ofBytes(byte[] bytes) {
        return new Key(bytes);
    }

    /** Returns the bytes without a copy. The caller must not change them. */
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

    /** Returns the id of the collection. */
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

    /** The length of the separator between partition key and row key. */
    public static final int SEPARATOR_BYTES = 2;

    /** Returns the offset of the separator after the partition key of an encoded key. */
    public static int separator(byte[] bytes, int offset, int length) {
        int end = offset + length - 1;
        for (int i = offset + COLLECTION_BYTES; i < end; i++) {
            if (bytes[i] == SEPARATOR_1 && bytes[i + 1] == SEPARATOR_2) {
                return i;
            }
        }
        throw new IllegalStateException("Not a row key: " + HexFormat.of().formatHex(bytes, offset, offset + length));
    }

    /** Returns the offset of the partition key in an encoded key. */
    public static int partitionKeyStart() {
        return COLLECTION_BYTES;
    }

    /** Returns the position before all rows of a partition and after all rows of smaller ones. */
    public static byte[] beforePartition(long collection, String partitionKey) {
        return position(collection, partitionKey, new byte[0], "", 0);
    }

    /** Returns the position after all rows of a partition. */
    public static byte[] afterPartition(long collection, String partitionKey) {
        return position(collection, partitionKey, new byte[] {SEPARATOR_1, AFTER_SEPARATOR_2}, "", 0);
    }

    /** Returns the position immediately after a row. */
    public static byte[] afterRow(long collection, String partitionKey, String rowKey) {
        return position(collection, partitionKey, new byte[] {SEPARATOR_1, SEPARATOR_2}, rowKey, 1);
    }

    /** Returns the range of all rows of a collection. */
    public static KeyRange collectionRange(long collection) {
        byte[] from = beforePartition(collection, "");
        // No string begins with this byte. The id plus one would overflow for the last collection.
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
                throw new IllegalArgumentException("A collection id has no zero byte: " + Long.toHexString(collection));
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

    /** Decodes a string of an encoded key. */
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

    /** Returns whether the encoded key has this prefix. */
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
