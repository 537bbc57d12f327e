package dev.trestle.server.protocol;

import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmType;
import java.util.Arrays;

/**
 * What stands before a property's value: a comma, its name, its type where that has to be said, and the quote that opens
 * the value. Rows are mostly alike, so what the row before had at the same position is kept and, if it fits, copied.
 * Mutable, for one thread.
 */
final class PropertyHeads {
    private static final int INITIAL_PROPERTIES = 16;
    private static final int HEAD_BYTES_ESTIMATE = 64;
    private static final byte[] NONE = {};

    private final MetadataLevel level;
    private byte[][] names = new byte[INITIAL_PROPERTIES][];
    private EdmType[] types = new EdmType[INITIAL_PROPERTIES];
    private byte[][] heads = new byte[INITIAL_PROPERTIES][];
    private int[] lengths = new int[INITIAL_PROPERTIES];
    private final WireBuffer scratch = new WireBuffer(HEAD_BYTES_ESTIMATE);

    PropertyHeads(MetadataLevel level) {
        this.level = level;
        Arrays.fill(names, NONE);
        Arrays.fill(types, EdmType.STRING);
    }

    /** Moves the cursor to the next property and writes its head; false when there is none. */
    boolean next(RowReader row, int position, WireBuffer out) {
        boolean known = position < heads.length && row.nextIs(names[position], types[position]);
        if (known && !isSpecial(row)) {
            out.few(heads[position], lengths[position]);
            return true;
        }
        if (!known && !row.next()) {
            return false;
        }
        scratch.clear();
        write(row, level, scratch.octet(','));
        if (!isSpecial(row)) {
            keep(row, position);
        }
        out.raw(scratch.data(), 0, scratch.length());
        return true;
    }

    private void keep(RowReader row, int position) {
        if (position >= heads.length) {
            int larger = Math.max(2 * heads.length, position + 1);
            names = Arrays.copyOf(names, larger);
            types = Arrays.copyOf(types, larger);
            Arrays.fill(names, heads.length, larger, NONE);
            Arrays.fill(types, heads.length, larger, EdmType.STRING);
            heads = Arrays.copyOf(heads, larger);
            lengths = Arrays.copyOf(lengths, larger);
        }
        names[position] = row.nameAsStored();
        types[position] = row.type();
        heads[position] = scratch.padded();
        lengths[position] = scratch.length();
    }

    /** Writes the head of the property under the cursor, without a comma. */
    static void write(RowReader row, MetadataLevel level, WireBuffer out) {
        boolean annotated = switch (row.type()) {
            case STRING, INT32, BOOLEAN -> false;
            case DOUBLE -> isSpecial(row);
            case INT64, DATE_TIME, GUID, BINARY -> true;
        };
        if (annotated && level != MetadataLevel.NONE) {
            out.octet('"').stringContent(row.data(), row.nameOffset(), row.nameLength());
            out.ascii("@odata.type\":\"").ascii(row.type().wireName()).ascii("\",");
        }
        out.string(row.data(), row.nameOffset(), row.nameLength()).octet(':');
        if (row.type() == EdmType.STRING || (annotated && row.type() != EdmType.DOUBLE)) {
            out.octet('"');
        }
    }

    /** A double that JSON has no number for is written as text, so its head differs from that of its like. */
    private static boolean isSpecial(RowReader row) {
        return row.type() == EdmType.DOUBLE && !Double.isFinite(row.real());
    }
}
