package dev.trestle.server.table.json;

import dev.trestle.keyspace.Bytes;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmType;
import dev.trestle.server.codec.JsonValues;
import dev.trestle.server.codec.SwarBytes;
import dev.trestle.server.codec.WireBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes entities that are similar, as those of a page are: the same partition and the same properties. The text
 * before a value (comma, name and type) is kept as a template and copied if the next entity has the same property
 * at the same position; so are partition key and version. While values are plain, properties are written in one
 * pass that reserves space once and only advances a position. Mutable; not thread-safe.
 */
final class RowTemplateWriter {
    private static final int INITIAL_PROPERTIES = 16;
    private static final int OPENING_BYTES_ESTIMATE = 256;

    /** Longer rows consist mostly of values, and their maximum encoded size would be large. */
    private static final int ROW_BYTES_MAX = 4 * 1024;

    /**
     * The maximum growth of a plain value relative to its stored bytes, reached by false. A value with its lead
     * has at least four bytes, which also leaves space for a short head.
     */
    private static final int GROWTH_MAX = 5;

    /** Heads up to this length, which are most, are written as two longs. */
    private static final int SHORT_BYTES = 2 * Long.BYTES;

    private static final byte[] TO_TIMESTAMP = "\",".getBytes(StandardCharsets.US_ASCII);

    private final MetadataLevel level;
    private final ETagText versionText = new ETagText();

    /** The version written last; -1 if none. */
    private long version = -1;

    /** The last key up to its row key. */
    private byte[] partition = {};

    /** The text from the entity's start to its row key, and from there to its properties. */
    private final WireBuffer opening = new WireBuffer(OPENING_BYTES_ESTIMATE);

    private final WireBuffer middle = new WireBuffer(OPENING_BYTES_ESTIMATE);
    private Head[] heads = new Head[INITIAL_PROPERTIES];

    /** The total length of all heads. */
    private int headBytes;

    /** The text before a value, including the comma, and the encoded lead of the properties that it applies to. */
    private static final class Head {
        static final Head NONE = new Head(RowReader.Lead.NONE, new byte[0]);

        final RowReader.Lead lead;
        final EdmType type;
        final byte[] text;
        private final long first;
        private final long second;

        Head(RowReader.Lead lead, byte[] text) {
            this.lead = lead;
            this.type = lead.type();
            this.text = text;
            byte[] padded = Arrays.copyOf(text, Math.max(SHORT_BYTES, text.length));
            this.first = SwarBytes.at(padded, 0);
            this.second = SwarBytes.at(padded, Long.BYTES);
        }

        /**
         * Copies the head to a position with at least {@link #SHORT_BYTES} of space, and returns the position
         * after it.
         */
        int put(byte[] out, int at) {
            if (text.length > SHORT_BYTES) {
                System.arraycopy(text, 0, out, at, text.length);
            } else {
                SwarBytes.put(out, at, first);
                SwarBytes.put(out, at + Long.BYTES, second);
            }
            return at + text.length;
        }
    }

    RowTemplateWriter(MetadataLevel level) {
        this.level = level;
        Arrays.fill(heads, Head.NONE);
    }

    /** Encodes the members of an entity; the cursor is before its first property. */
    void write(RowReader row, byte[] key, int keyOffset, int keyLength, WireBuffer out) {
        if (partition.length == 0
                || !Arrays.equals(
                        key,
                        keyOffset,
                        keyOffset + Math.min(keyLength, partition.length),
                        partition,
                        0,
                        partition.length)) {
            open(key, keyOffset, keyLength);
        }
        if (row.version() != version) {
            stamp(row.version());
        }
        int rowKey = keyOffset + partition.length;
        out.raw(opening.data(), 0, opening.length())
                .stringContent(key, rowKey, keyOffset + keyLength - rowKey)
                .raw(middle.data(), 0, middle.length());
        properties(row, out);
    }

    private void open(byte[] key, int keyOffset, int keyLength) {
        int separator = Key.separator(key, keyOffset, keyLength);
        int start = keyOffset + Key.partitionKeyStart();
        partition = Arrays.copyOfRange(key, keyOffset, separator + Key.SEPARATOR_BYTES);
        opening.clear();
        if (level != MetadataLevel.NONE) {
            opening.raw(versionText.etag()).octet(',');
        }
        opening.ascii("\"PartitionKey\":").string(key, start, separator - start).ascii(",\"RowKey\":\"");
    }

    /** Replaces the version, which has a fixed position. */
    private void stamp(long changed) {
        version = changed;
        versionText.of(changed);
        if (level != MetadataLevel.NONE) {
            opening.overwrite(0, versionText.etag());
        }
        middle.clear();
        middle.raw(TO_TIMESTAMP).raw(versionText.timestamp());
    }

    /** Encodes the properties after the cursor, each after a comma. */
    private void properties(RowReader row, WireBuffer out) {
        for (int position = templated(row, 0, out); row.next(); position = templated(row, position + 1, out)) {
            one(row, position, out);
        }
    }

    /**
     * Encodes properties while they match their templates and are plain; returns the position of the first that does
     * not.
     */
    private int templated(RowReader row, int from, WireBuffer out) {
        byte[] data = row.data();
        int p = row.position();
        int rowEnd = row.end();
        if (rowEnd - p > ROW_BYTES_MAX) {
            return from;
        }
        out.reserve(headBytes + GROWTH_MAX * (rowEnd - p));
        byte[] text = out.data();
        int at = out.length();
        int position = from;
        for (; position < heads.length; position++) {
            Head head = heads[position];
            int size = head.lead.sizeAt(data, p, rowEnd);
            int offset = head.lead.valueAt(p, size);
            if (size < 0 || offset + size > rowEnd) {
                break;
            }
            int afterHead = head.put(text, at);
            int end = head.type == EdmType.STRING
                    ? quote(text, JsonValues.plain(data, offset, size, text, afterHead))
                    : value(head.type, data, offset, out, text, afterHead);
            if (end < 0) {
                break;
            }
            at = end;
            p = offset + size;
        }
        row.moveTo(p);
        out.setLength(at);
        return position;
    }

    /** Encodes a plain value and returns the position after it; returns a negative number if it is not plain. */
    private static int value(EdmType type, byte[] data, int offset, WireBuffer out, byte[] text, int at) {
        return switch (type) {
            case INT32 -> JsonValues.number(Bytes.readInt(data, offset), text, at);
            case INT64 -> quote(text, JsonValues.number(Bytes.readLong(data, offset), text, at));
            case DOUBLE -> JsonValues.real(Double.longBitsToDouble(Bytes.readLong(data, offset)), text, at);
            case BOOLEAN -> JsonValues.bool(data[offset] != 0, text, at);
            case DATE_TIME -> quote(text, out.putTime(Bytes.readLong(data, offset), false, at));
            case GUID -> quote(text, JsonValues.guid(data, offset, text, at));
            case STRING, BINARY -> -1;
        };
    }

    /** Appends the closing quote, unless encoding the content failed. */
    private static int quote(byte[] text, int at) {
        if (at < 0) {
            return at;
        }
        text[at] = '"';
        return at + 1;
    }

    /** Encodes any property, and keeps its head as a template. */
    private void one(RowReader row, int position, WireBuffer out) {
        int start = out.length();
        PropertyWriter.head(row, level, out.octet(','));
        if (!PropertyWriter.isSpecial(row) && !(position < heads.length && row.has(heads[position].lead))) {
            keep(row, position, out, start);
        }
        PropertyWriter.value(row, out);
    }

    private void keep(RowReader row, int position, WireBuffer out, int start) {
        if (position >= heads.length) {
            int before = heads.length;
            heads = Arrays.copyOf(heads, Math.max(2 * before, position + 1));
            Arrays.fill(heads, before, heads.length, Head.NONE);
        }
        byte[] text = Arrays.copyOfRange(out.data(), start, out.length());
        headBytes += text.length - heads[position].text.length;
        heads[position] = new Head(row.lead(), text);
    }
}
