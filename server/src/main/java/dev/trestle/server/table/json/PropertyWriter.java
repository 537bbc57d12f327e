package dev.trestle.server.table.json;

import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmType;
import dev.trestle.server.codec.WireBuffer;

/** Encodes a stored property as a JSON member, directly from its encoded bytes. */
final class PropertyWriter {
    private PropertyWriter() {}

    /** Encodes the property at the cursor, without a comma. */
    static void write(RowReader row, MetadataLevel level, WireBuffer out) {
        head(row, level, out);
        value(row, out);
    }

    /** Encodes everything before the value: the name, the type annotation if needed, and the opening quote. */
    static void head(RowReader row, MetadataLevel level, WireBuffer out) {
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

    /** Encodes the value, after its head. */
    static void value(RowReader row, WireBuffer out) {
        switch (row.type()) {
            case STRING ->
                out.stringContent(row.data(), row.valueOffset(), row.valueLength())
                        .octet('"');
            case INT32 -> out.number(row.int32());
            case BOOLEAN -> out.ascii(row.bool() ? "true" : "false");
            case DOUBLE -> real(row.real(), out);
            case INT64 -> out.number(row.int64()).octet('"');
            case DATE_TIME -> out.time(row.int64(), false).octet('"');
            case GUID -> out.guid(row.data(), row.valueOffset()).octet('"');
            case BINARY ->
                out.base64(row.data(), row.valueOffset(), row.valueLength()).octet('"');
        }
    }

    /** Whether a double is not finite. JSON has no number for it, so it is encoded as a string with another head. */
    static boolean isSpecial(RowReader row) {
        return row.type() == EdmType.DOUBLE && !Double.isFinite(row.real());
    }

    private static void real(double value, WireBuffer out) {
        if (Double.isFinite(value)) {
            out.real(value);
        } else {
            out.octet('"').ascii(Double.toString(value)).octet('"');
        }
    }
}
