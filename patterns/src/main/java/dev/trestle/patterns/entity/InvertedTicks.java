package dev.trestle.patterns.entity;

import java.time.Instant;

/**
 * A codec of times as 19 digits that sort newest first, for the log tail pattern. The digits are those of the guide's formula,
 * {@code DateTime.MaxValue.Ticks - ticks}.
 */
public final class InvertedTicks {
    private static final PaddedNumber PADDED = PaddedNumber.unsigned(Ticks.DIGITS);

    private InvertedTicks() {}

    public static String format(Instant moment) {
        return PADDED.format(Ticks.MAX - Ticks.count(moment));
    }

    public static Instant parse(String invertedTicks) {
        return Ticks.moment(Ticks.MAX - PADDED.parse(invertedTicks));
    }
}
