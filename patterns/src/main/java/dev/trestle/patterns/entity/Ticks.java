package dev.trestle.patterns.entity;

import java.time.DateTimeException;
import java.time.Instant;

/**
 * A codec of times as 19 digits that sort oldest first: .NET ticks, units of 100 nanoseconds since the year 1. Finer precision is
 * truncated.
 */
public final class Ticks {
    static final int DIGITS = 19;
    static final long MAX = 3_155_378_975_999_999_999L;

    private static final long PER_SECOND = 10_000_000L;
    private static final long NANOS_PER_TICK = 100;
    private static final long SECONDS_BEFORE_1970 = 62_135_596_800L;
    private static final PaddedNumber PADDED = PaddedNumber.unsigned(DIGITS);

    private Ticks() {}

    public static String format(Instant moment) {
        return PADDED.format(count(moment));
    }

    public static Instant parse(String ticks) {
        return moment(PADDED.parse(ticks));
    }

    static long count(Instant moment) {
        long seconds = moment.getEpochSecond() + SECONDS_BEFORE_1970;
        if (seconds < 0 || seconds > MAX / PER_SECOND) {
            throw new DateTimeException(moment + " is outside of the years 1 to 9999");
        }
        return seconds * PER_SECOND + moment.getNano() / NANOS_PER_TICK;
    }

    static Instant moment(long ticks) {
        if (ticks > MAX) {
            throw new DateTimeException(ticks + " ticks are after the year 9999");
        }
        return Instant.ofEpochSecond(ticks / PER_SECOND - SECONDS_BEFORE_1970, ticks % PER_SECOND * NANOS_PER_TICK);
    }
}
