package dev.trestle.server.table.json;

import dev.trestle.model.EdmValue;
import java.util.HexFormat;
import java.util.Optional;

/** Parses a GUID in its only accepted form: 32 hexadecimal digits with dashes after the 8th, 12th, 16th and 20th. */
public final class GuidText {
    private static final int UNITS = 36;

    private GuidText() {}

    public static Optional<EdmValue.Guid> parse(CharSequence text) {
        if (text.length() != UNITS) {
            return Optional.empty();
        }
        long high = 0;
        long low = 0;
        for (int i = 0; i < UNITS; i++) {
            char c = text.charAt(i);
            if (i == 8 || i == 13 || i == 18 || i == 23) {
                if (c != '-') {
                    return Optional.empty();
                }
            } else if (!HexFormat.isHexDigit(c)) {
                return Optional.empty();
            } else {
                high = high << 4 | low >>> 60;
                low = low << 4 | HexFormat.fromHexDigit(c);
            }
        }
        return Optional.of(new EdmValue.Guid(high, low));
    }
}
