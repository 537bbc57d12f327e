package dev.trestle.server.codec;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Parses the dates of HTTP headers. */
public final class HttpDate {
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

    /** {@code Mon, 02 Mar 2026 10:00:00 GMT}. */
    private static final int FIXED_LENGTH = 29;

    private HttpDate() {}

    /** Returns the instant, or empty if the text is not a date. */
    public static Optional<Instant> parse(String text) {
        try {
            return Optional.of(isFixedForm(text) ? parseFixed(text) : parseAny(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static boolean isFixedForm(String text) {
        return text.length() == FIXED_LENGTH
                && text.startsWith(", ", 3)
                && text.charAt(7) == ' '
                && text.charAt(11) == ' '
                && text.charAt(16) == ' '
                && text.charAt(19) == ':'
                && text.charAt(22) == ':'
                && text.endsWith(" GMT");
    }

    /**
     * Parses by position: every request has a date of this form, and a formatter costs more than checking the
     * signature.
     */
    private static Instant parseFixed(String text) {
        int month = MONTHS.indexOf(text.substring(8, 11));
        if (month < 0 || month % 3 != 0) {
            throw new DateTimeException("no month");
        }
        return LocalDateTime.of(
                        number(text, 12, 4),
                        month / 3 + 1,
                        number(text, 5, 2),
                        number(text, 17, 2),
                        number(text, 20, 2),
                        number(text, 23, 2))
                .toInstant(ZoneOffset.UTC);
    }

    private static int number(String text, int at, int digits) {
        int value = 0;
        for (int i = at; i < at + digits; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                throw new DateTimeException("no number");
            }
            value = value * 10 + (c - '0');
        }
        return value;
    }

    private static Instant parseAny(String text) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
    }
}
