package dev.trestle.blob;

import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmValue;
import java.util.HexFormat;

/**
 * Encodes and decodes rows of the tag index. Each tag of a blob has a row in the partition {@code t/<key>!<value>}
 * of the container. The row key is the blob's name with a number, and the row has the time at which it was put.
 * Tags cannot contain an exclamation mark, so the values of a key are adjacent and in order.
 */
final class TagRowCodec {
    private static final String TAGS = "t/";
    private static final char SEPARATOR = '!';
    private static final char NUMBER = '\u0001';
    private static final int NUMBER_UNITS = 16;
    private static final String PUT = "P";
    private static final HexFormat HEX = HexFormat.of();

    private TagRowCodec() {}

    static String partition(String key, String value) {
        return TAGS + key + SEPARATOR + value;
    }

    static Key key(long container, String key, String value, String name, long number) {
        return Key.of(container, partition(key, value), name + NUMBER + HEX.toHexDigits(number));
    }

    /** @param put the time in ticks */
    static byte[] row(long put) {
        return new RowBuilder().put(PUT, new EdmValue.DateTime(put)).build();
    }

    /** Returns the time at which a row was put, in ticks. */
    static long put(byte[] row) {
        RowReader reader = new RowReader().reset(row);
        while (reader.next()) {
            if (reader.name().equals(PUT) && reader.value() instanceof EdmValue.DateTime put) {
                return put.ticks();
            }
        }
        throw new IllegalStateException("A row of the tag index lacks its column " + PUT);
    }

    /** Returns the name of the blob in the key of a row. */
    static String name(Key entry) {
        String row = entry.rowKey();
        return row.substring(0, row.length() - NUMBER_UNITS - 1);
    }

    static long number(Key entry) {
        String row = entry.rowKey();
        return HexFormat.fromHexDigitsToLong(row, row.length() - NUMBER_UNITS, row.length());
    }

    /** Returns the range of the rows of a tag. */
    static KeyRange ofTag(long container, String key, String value) {
        String partition = partition(key, value);
        return new KeyRange(Key.beforePartition(container, partition), Key.afterPartition(container, partition));
    }

    /** Returns the range of the rows of all tags with this key. */
    static KeyRange ofKey(long container, String key) {
        String prefix = TAGS + key + SEPARATOR;
        return new KeyRange(
                Key.beforePartition(container, prefix),
                Key.beforePartition(container, BlobRowCodec.after(prefix).orElseThrow()));
    }

    /** Returns the value of the tag in the key of a row. */
    static String value(Key entry) {
        String partition = entry.partitionKey();
        return partition.substring(partition.indexOf(SEPARATOR) + 1);
    }
}
