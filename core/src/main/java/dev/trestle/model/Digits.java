package dev.trestle.model;

/** Decimal digits, eight at a time. */
public final class Digits {
    /** Eight zeros, as {@link #eight} gives them. */
    public static final long ZEROS = 0x3030_3030_3030_3030L;

    private Digits() {}

    /** The eight digits of a number below a hundred million, with zeros in front; the first one is the lowest byte. */
    public static long eight(int number) {
        // Halved and halved again: four digits to a half, two to a quarter, one to a byte. The products divide by a
        // hundred and by ten, exactly for numbers so small.
        long fours = ((long) (number % 10_000) << 32) | (number / 10_000);
        long hundreds = ((fours * 10_486) >>> 20) & 0x0000_007F_0000_007FL;
        long twos = ((fours - 100 * hundreds) << 16) | hundreds;
        long tens = ((twos * 103) >>> 10) & 0x000F_000F_000F_000FL;
        return (((twos - 10 * tens) << 8) | tens) + ZEROS;
    }
}
