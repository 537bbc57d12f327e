package dev.trestle.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.LocalDate;
import java.util.OptionalLong;

/**
 * Times in ticks: units of 100 ns since 1601-01-01T00:00:00Z, the first time of an Edm.DateTime. Parsing and
 * formatting are hand-written because every entity needs them.
 */
public final class Ticks {
    public static final long PER_SECOND = 10_000_000L;
    public static final long PER_DAY = 86_400L * PER_SECOND;
    private static final long EPOCH_DAY_1601 = LocalDate.of(1601, 1, 1).toEpochDay();

    /** 9999-12-31T23:59:59.9999999Z. */
    public static final long MAX = (LocalDate.of(9999, 12, 31).toEpochDay() - EPOCH_DAY_1601 + 1) * PER_DAY - 1;

    private static final long UNIX_EPOCH = -EPOCH_DAY_1601 * PER_DAY;

    /** The number of bytes that {@link #formatDate} writes. */
    public static final int DATE_BYTES = 11;

    private static final int HTTP_BYTES = 29;
    private static final String WEEKDAYS = "MonTueWedThuFriSatSun";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long COLONS_FOR_ZEROS = (long) (':' - '0') << 16 | (long) (':' - '0') << 40;
    private static final long POINT_FOR_ZERO = '.' - '0';

    /** The two digits of each number up to 99. */
    private static final byte[] PAIRS = new byte[200];

    static {
        for (int i = 0; i < 100; i++) {
            PAIRS[2 * i] = (byte) ('0' + i / 10);
            PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
        }
    }

    private Ticks() {}

    public static long of(Instant instant) {
        return UNIX_EPOCH + Math.multiplyExact(instant.getEpochSecond(), PER_SECOND) + instant.getNano() / 100;
    }

    public static Instant toInstant(long ticks) {
        long sinceUnix = ticks - UNIX_EPOCH;
        return Instant.ofEpochSecond(Math.floorDiv(sinceUnix, PER_SECOND), Math.floorMod(sinceUnix, PER_SECOND) * 100);
    }

    /**
     * Parses {@code YYYY-MM-DD[Thh:mm[:ss[.f{1,}]]][Z|+hh:mm|-hh:mm]}. The default zone is UTC; digits after the
     * seventh are dropped. Returns empty if the text is invalid. Returns a negative number for a date before 1601,
     * which the caller has to reject.
     */
    public static OptionalLong parse(CharSequence text) {
        int length = text.length();
        if (length < 10 || text.charAt(4) != '-' || text.charAt(7) != '-') {
            return OptionalLong.empty();
        }
        int year = digits(text, 0, 4);
        int month = digits(text, 5, 2);
        int day = digits(text, 8, 2);
        if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) {
            return OptionalLong.empty();
        }
        long ticks = (daysFromCivil(year, month, day) - EPOCH_DAY_1601) * PER_DAY;
        int at = 10;
        if (at < length && (text.charAt(at) == 'T' || text.charAt(at) == 't' || text.charAt(at) == ' ')) {
            int hour = digits(text, at + 1, 2);
            int minute = at + 3 < length && text.charAt(at + 3) == ':' ? digits(text, at + 4, 2) : -1;
            if (hour < 0 || hour > 23 || minute < 0 || minute > 59) {
                return OptionalLong.empty();
            }
            ticks += (hour * 60L + minute) * 60 * PER_SECOND;
            at += 6;
            if (at < length && text.charAt(at) == ':') {
                int second = digits(text, at + 1, 2);
                if (second < 0 || second > 59) {
                    return OptionalLong.empty();
                }
                ticks += second * PER_SECOND;
                at += 3;
                if (at < length && text.charAt(at) == '.') {
                    int first = ++at;
                    long unit = PER_SECOND / 10;
                    while (at < length && isDigit(text.charAt(at))) {
                        ticks += (text.charAt(at) - '0') * unit;
                        unit /= 10;
                        at++;
                    }
                    if (at == first) {
                        return OptionalLong.empty();
                    }
                }
            }
        }
        return zone(text, at, ticks);
    }

    private static OptionalLong zone(CharSequence text, int at, long ticks) {
        int rest = text.length() - at;
        if (rest == 0) {
            return OptionalLong.of(ticks);
        }
        char sign = text.charAt(at);
        if (rest == 1 && (sign == 'Z' || sign == 'z')) {
            return OptionalLong.of(ticks);
        }
        if (rest != 6 || (sign != '+' && sign != '-') || text.charAt(at + 3) != ':') {
            return OptionalLong.empty();
        }
        int hours = digits(text, at + 1, 2);
        int minutes = digits(text, at + 4, 2);
        if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59) {
            return OptionalLong.empty();
        }
        long offset = (hours * 60L + minutes) * 60 * PER_SECOND;
        return OptionalLong.of(sign == '+' ? ticks - offset : ticks + offset);
    }

    /** The maximum number of bytes that {@link #format} writes. */
    public static final int TEXT_BYTES_MAX = 28;

    /**
     * Writes the time as ASCII and returns the position after it.
     *
     * @param allDigits whether to write trailing zeros of the seven fraction digits
     */
    public static int format(long ticks, boolean allDigits, byte[] target, int at) {
        long day = day(ticks);
        return formatTime(ticks - day * PER_DAY, allDigits, target, formatDate(day, target, at));
    }

    /** Returns the day of a time, in days since 1601-01-01. */
    public static long day(long ticks) {
        return Math.floorDiv(ticks, PER_DAY);
    }

    /** Writes {@code YYYY-MM-DDT}, which callers can cache per day, and returns the position after it. */
    public static int formatDate(long day, byte[] target, int at) {
        // Civil date from day number, after Howard Hinnant's "chrono-compatible low-level date algorithms".
        long z = day + EPOCH_DAY_1601 + 719_468;
        long era = Math.floorDiv(z, 146_097L);
        int dayOfEra = (int) (z - era * 146_097);
        int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int shifted = (5 * dayOfYear + 2) / 153;
        int dayOfMonth = dayOfYear - (153 * shifted + 2) / 5 + 1;
        int month = shifted < 10 ? shifted + 3 : shifted - 9;
        int year = (int) (yearOfEra + era * 400) + (month <= 2 ? 1 : 0);
        putPair(target, at, year / 100);
        putPair(target, at + 2, year % 100);
        target[at + 4] = '-';
        putPair(target, at + 5, month);
        target[at + 7] = '-';
        putPair(target, at + 8, dayOfMonth);
        target[at + 10] = 'T';
        return at + DATE_BYTES;
    }

    /** Writes {@code hh:mm:ss[.fffffff]Z} for a time since midnight, and returns the position after it. */
    public static int formatTime(long inDay, boolean allDigits, byte[] target, int at) {
        int second = (int) (inDay / PER_SECOND);
        int fraction = (int) (inDay - second * PER_SECOND);
        int minute = second / 60;
        int hour = minute / 60;
        // Digits of hour, minute and second with a zero between them, which the sum turns into a colon.
        int apart = hour * 1_000_000 + (minute - 60 * hour) * 1_000 + (second - 60 * minute);
        EIGHT_BYTES.set(target, at, Digits.eight(apart) + COLONS_FOR_ZEROS);
        int p = at + Long.BYTES;
        if (allDigits || fraction != 0) {
            // The sum turns the leading zero into the decimal point.
            long digits = Digits.eight(fraction);
            EIGHT_BYTES.set(target, p, digits + POINT_FOR_ZERO);
            int zeros = allDigits ? 0 : Long.numberOfLeadingZeros(digits ^ Digits.ZEROS) / Byte.SIZE;
            p += Long.BYTES - zeros;
        }
        target[p++] = 'Z';
        return p;
    }

    @SuppressWarnings("deprecation") // The deprecated constructor copies ASCII without a charset decoder.
    public static String format(long ticks, boolean allDigits) {
        byte[] text = new byte[TEXT_BYTES_MAX];
        int length = format(ticks, allDigits, text, 0);
        return new String(text, 0, 0, length);
    }

    /** Formats a time for an HTTP header, {@code Mon, 02 Mar 2026 10:00:00 GMT}. */
    @SuppressWarnings("deprecation") // As above.
    public static String formatHttp(long ticks) {
        long day = day(ticks);
        byte[] civil = new byte[DATE_BYTES];
        formatDate(day, civil, 0);
        byte[] time = new byte[TEXT_BYTES_MAX];
        formatTime(ticks - day * PER_DAY, true, time, 0);
        byte[] text = new byte[HTTP_BYTES];
        // 1601-01-01 was a Monday.
        WEEKDAYS.getBytes(3 * (int) Math.floorMod(day, 7L), 3 * (int) Math.floorMod(day, 7L) + 3, text, 0);
        text[3] = ',';
        text[4] = ' ';
        text[5] = civil[8];
        text[6] = civil[9];
        text[7] = ' ';
        int month = 3 * ((civil[5] - '0') * 10 + civil[6] - '0' - 1);
        MONTHS.getBytes(month, month + 3, text, 8);
        text[11] = ' ';
        System.arraycopy(civil, 0, text, 12, 4);
        text[16] = ' ';
        System.arraycopy(time, 0, text, 17, 8);
        " GMT".getBytes(0, 4, text, 25);
        return new String(text, 0);
    }

    private static void putPair(byte[] target, int at, int value) {
        target[at] = PAIRS[2 * value];
        target[at + 1] = PAIRS[2 * value + 1];
    }

    private static int digits(CharSequence text, int at, int count) {
        if (at + count > text.length()) {
            return -1;
        }
        int value = 0;
        for (int i = at; i < at + count; i++) {
            char c = text.charAt(i);
            if (!isDigit(c)) {
                return -1;
            }
            value = value * 10 + (c - '0');
        }
        return value;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static int daysIn(int year, int month) {
        return switch (month) {
            case 4, 6, 9, 11 -> 30;
            case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
            default -> 31;
        };
    }

    private static long daysFromCivil(int year, int month, int day) {
        int y = month <= 2 ? year - 1 : year;
        int era = Math.floorDiv(y, 400);
        int yearOfEra = y - era * 400;
        int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * 146_097L + dayOfEra - 719_468;
    }
}
