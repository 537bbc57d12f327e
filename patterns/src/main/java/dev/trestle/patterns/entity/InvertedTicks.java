package dev.trestle.patterns.entity;

import java.time.Instant;

/**
 * A moment as 19 digits that sort from the newest to the oldest, for keys whose first entities are to be the latest: the
 * guide's log tail pattern, and digit for digit the value its formula gives.
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
