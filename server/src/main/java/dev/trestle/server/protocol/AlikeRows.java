package dev.trestle.server.protocol;

import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes entities that are mostly alike, as those of a page are: of one partition, written together, with the same
 * properties. What one had before a value, the comma, the name and the type, is kept and, where the next one has the
 * same property at the same position, copied; so are partition key and version. As long as values are plain, properties
 * are written in one go: room is made once for all of them, and nothing is kept track of but the position. Mutable, for
 * one thread.
 */
final class AlikeRows {
    private static final int INITIAL_PROPERTIES = 16;
    private static final int OPENING_BYTES_ESTIMATE = 256;

    /** Of longer rows most are the values, and room for anything they may become would be large. */
    private static final int ROW_BYTES_MAX = 4 * 1024;

    /** No plain value is longer than so many times its stored bytes, which is what false is. */
    private static final int GROWTH_MAX = 5;

    private static final byte[] TO_TIMESTAMP = "\",".getBytes(StandardCharsets.US_ASCII);

    private final MetadataLevel level;
    private final VersionText versionText = new VersionText();

    /** The version written last, or none. */
    private long version = -1;

    /** Of the last key all that stands before the row key. */
    private byte[] partition = {};

    /** From the entity's start to its row key, and from there to its properties; both padded. */
    private final WireBuffer opening = new WireBuffer(OPENING_BYTES_ESTIMATE);

    private final WireBuffer middle = new WireBuffer(OPENING_BYTES_ESTIMATE);
    private Head[] heads = new Head[INITIAL_PROPERTIES];

    /** Bytes of all heads together. */
    private int headBytes;

    /** What stands before a value, with a comma, and which properties have it. */
    private record Head(RowReader.Lead lead, byte[] padded, int length) {
        static final Head NONE = new Head(RowReader.Lead.NONE, new byte[0], 0);
    }

    AlikeRows(MetadataLevel level) {
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
        out.few(opening.data(), opening.length())
                .stringContent(key, rowKey, keyOffset + keyLength - rowKey)
                .few(middle.data(), middle.length());
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
        int at = reserve(row, out);
        byte[] text = out.data();
        for (int position = 0; ; position++) {
            Head head = position < heads.length ? heads[position] : Head.NONE;
            int end = row.rest() <= ROW_BYTES_MAX && row.nextIs(head.lead) ? value(row, head, out, text, at) : 0;
            if (end > 0) {
                at = end;
                continue;
            }
            out.end(at);
            // Which the cursor is on already if it is its value that is not plain.
            if (end == 0 && !row.next()) {
                return;
            }
            one(row, position, out);
            at = reserve(row, out);
            text = out.data();
        }
    }

    /** Makes room for the rest of a row, and returns where it begins. */
    private int reserve(RowReader row, WireBuffer out) {
        out.reserve(headBytes + GROWTH_MAX * Math.min(row.rest(), ROW_BYTES_MAX));
        return out.length();
    }

    /** Writes a property if its value is plain, and returns the position behind it, else a negative one. */
    private static int value(RowReader row, Head head, WireBuffer out, byte[] text, int at) {
        int p = JsonValues.few(head.padded, head.length, text, at);
        byte[] data = row.data();
        int offset = row.valueOffset();
        switch (head.lead.type()) {
            case STRING -> {
                p = JsonValues.plain(data, offset, row.valueLength(), text, p);
                return p < 0 ? p : quote(text, p);
            }
            case INT32 -> {
                return JsonValues.number(row.int32(), text, p);
            }
            case INT64 -> {
                return quote(text, JsonValues.number(row.int64(), text, p));
            }
            case DOUBLE -> {
                return JsonValues.real(row.real(), text, p);
            }
            case BOOLEAN -> {
                return JsonValues.bool(row.bool(), text, p);
            }
            case DATE_TIME -> {
                return quote(text, out.putTime(row.int64(), false, p));
            }
            case GUID -> {
                return quote(text, JsonValues.guid(data, offset, text, p));
            }
            default -> {
                return -1;
            }
        }
    }

    private static int quote(byte[] text, int at) {
        text[at] = '"';
        return at + 1;
    }

    /** Writes any property, and keeps its head. */
    private void one(RowReader row, int position, WireBuffer out) {
        int start = out.length();
        PropertyText.head(row, level, out.octet(','));
        if (!PropertyText.isSpecial(row)) {
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
        byte[] padded = Arrays.copyOfRange(out.data(), start, out.length() + Long.BYTES);
        headBytes += out.length() - start - heads[position].length;
        heads[position] = new Head(row.lead(), padded, out.length() - start);
    }
}
