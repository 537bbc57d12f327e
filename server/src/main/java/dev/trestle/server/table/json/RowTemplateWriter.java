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
 * Writes entities that are mostly alike, as those of a page are: of one partition, written together, with the same
 * properties. What one had before a value, the comma, the name and the type, is kept and, where the next one has the
 * same property at the same position, copied; so are partition key and version. As long as values are plain, properties
 * are written in one go: room is made once for all of them, and nothing is kept track of but the position. Mutable, for
 * one thread.
 */
final class RowTemplateWriter {
    private static final int INITIAL_PROPERTIES = 16;
    private static final int OPENING_BYTES_ESTIMATE = 256;

    /** Of longer rows most are the values, and room for anything they may become would be large. */
    private static final int ROW_BYTES_MAX = 4 * 1024;

    /**
     * No plain value is longer than so many times its stored bytes, which is what false is. With its lead any has four
     * bytes at least, which makes room for a short head as well.
     */
    private static final int GROWTH_MAX = 5;

    /** Heads that are written as two numbers, whether they are so long or not; most are shorter. */
    private static final int SHORT_BYTES = 2 * Long.BYTES;

    private static final byte[] TO_TIMESTAMP = "\",".getBytes(StandardCharsets.US_ASCII);

    private final MetadataLevel level;
    private final ETagText versionText = new ETagText();

    /** The version written last, or none. */
    private long version = -1;

    /** Of the last key all that stands before the row key. */
    private byte[] partition = {};

    /** From the entity's start to its row key, and from there to its properties. */
    private final WireBuffer opening = new WireBuffer(OPENING_BYTES_ESTIMATE);

    private final WireBuffer middle = new WireBuffer(OPENING_BYTES_ESTIMATE);
    private Head[] heads = new Head[INITIAL_PROPERTIES];

    /** Bytes of all heads together. */
    private int headBytes;

    /** What stands before a value, with a comma, and which properties have it. */
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

        /** Writes it to where there is room for {@link #SHORT_BYTES} at least, and returns the position behind it. */
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

    /** Writes the members of an entity, the cursor being before its first property. */
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

    /** The version stands at the same place in all. */
    private void stamp(long changed) {
        version = changed;
        versionText.of(changed);
        if (level != MetadataLevel.NONE) {
            opening.overwrite(0, versionText.etag());
        }
        middle.clear();
        middle.raw(TO_TIMESTAMP).raw(versionText.timestamp());
    }

    /** Writes the properties behind the cursor, each with a comma before it. */
    private void properties(RowReader row, WireBuffer out) {
        for (int position = alike(row, 0, out); row.next(); position = alike(row, position + 1, out)) {
            one(row, position, out);
        }
    }

    /** Writes properties as long as they are alike and plain, and returns the position of the first that is not. */
    private int alike(RowReader row, int from, WireBuffer out) {
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
            int behindHead = head.put(text, at);
            int end = head.type == EdmType.STRING
                    ? quote(text, JsonValues.plain(data, offset, size, text, behindHead))
                    : value(head.type, data, offset, out, text, behindHead);
            if (end < 0) {
                break;
            }
            at = end;
            p = offset + size;
        }
        row.moveTo(p);
        out.end(at);
        return position;
    }

    /** Writes a value if it is plain, and returns the position behind it, else a negative one. */
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

    /** Ends a string behind its inside, if that could be written. */
    private static int quote(byte[] text, int at) {
        if (at < 0) {
            return at;
        }
        text[at] = '"';
        return at + 1;
    }

    /** Writes any property, and keeps its head. */
    private void one(RowReader row, int position, WireBuffer out) {
        int start = out.length();
        PropertyText.head(row, level, out.octet(','));
        if (!PropertyText.isSpecial(row) && !(position < heads.length && row.has(heads[position].lead))) {
            keep(row, position, out, start);
        }
        PropertyText.value(row, out);
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
