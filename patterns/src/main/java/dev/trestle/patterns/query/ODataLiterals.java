package dev.trestle.patterns.query;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;

/** Renders values as OData literals, one form for each type of the service. */
final class ODataLiterals {
    private static final DateTimeFormatter TICKS = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private ODataLiterals() {}

    static String render(Object value) {
        if (value instanceof String text) {
            return quoted(text);
        } else if (value instanceof Integer || value instanceof Boolean) {
            return value.toString();
        } else if (value instanceof Short || value instanceof Byte) {
            return value.toString();
        } else if (value instanceof Long number) {
            return number + "L";
        } else if (value instanceof Float number) {
            return number(number.doubleValue());
        } else if (value instanceof Double number) {
            return number(number);
        } else if (value instanceof OffsetDateTime time) {
            return "datetime" + quoted(TICKS.format(time));
        } else if (value instanceof Instant time) {
            return "datetime" + quoted(TICKS.format(time));
        } else if (value instanceof UUID id) {
            return "guid" + quoted(id.toString());
        } else if (value instanceof byte[] bytes) {
            return "X" + quoted(HexFormat.of().formatHex(bytes));
        } else if (value instanceof Enum<?> constant) {
            return quoted(constant.name());
        }
        throw new IllegalArgumentException(
                "A " + value.getClass().getName() + " cannot be compared: the service has no such type");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private static String number(double number) {
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException(number + " cannot be used in a filter: it has no OData literal");
        }
        return Double.toString(number);
    }
}
