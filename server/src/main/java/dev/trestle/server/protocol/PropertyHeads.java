package dev.trestle.server.protocol;

import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmType;
import java.util.Arrays;

/**
 * What stands before a property's value: its name, its type where that has to be said, and the quote that opens the
 * value. Rows of a page are mostly alike, so what the row before had at the same position is kept and, if it fits,
 * copied. Mutable, for one thread.
 */
final class PropertyHeads {
    private static final int INITIAL_PROPERTIES = 16;
    private static final int HEAD_BYTES_ESTIMATE = 64;

    private byte[][] names = new byte[INITIAL_PROPERTIES][];
    private EdmType[] types = new EdmType[INITIAL_PROPERTIES];
    private byte[][] heads = new byte[INITIAL_PROPERTIES][];

    /** The head of the property under the cursor, with a comma in front. */
    byte[] of(RowReader row, MetadataLevel level, int position) {
        if (position >= heads.length) {
            names = Arrays.copyOf(names, 2 * names.length);
            types = Arrays.copyOf(types, 2 * types.length);
            heads = Arrays.copyOf(heads, 2 * heads.length);
        }
        if (types[position] == row.type() && row.nameIs(names[position]) && !isSpecial(row)) {
            return heads[position];
        }
        WireBuffer out = new WireBuffer(HEAD_BYTES_ESTIMATE).octet(',');
        write(row, level, out);
        byte[] head = out.toBytes();
        if (!isSpecial(row)) {
            names[position] = Arrays.copyOfRange(row.data(), row.nameOffset(), row.nameOffset() + row.nameLength());
            types[position] = row.type();
            heads[position] = head;
        }
        return head;
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
