package dev.trestle.model;

/** Formats eight decimal digits at a time, as SWAR arithmetic on a long. */
public final class Digits {
    /** The digits {@code 00000000}. */
    public static final long ZEROS = 0x3030_3030_3030_3030L;

    private Digits() {}

    /**
     * Returns the ASCII digits of a number below 100,000,000, zero-padded, with the first digit in the lowest
     * byte.
     */
    public static long eight(int number) {
        // Split into two halves of four digits, four quarters of two, and eight bytes of one. The multiplications
        // divide
        // by 100 and by 10, exactly for numbers of this size.
        long fours = ((long) (number % 10_000) << 32) | (number / 10_000);
        long hundreds = ((fours * 10_486) >>> 20) & 0x0000_007F_0000_007FL;
        long twos = ((fours - 100 * hundreds) << 16) | hundreds;
        long tens = ((twos * 103) >>> 10) & 0x000F_000F_000F_000FL;
        return (((twos - 10 * tens) << 8) | tens) + ZEROS;
    }
}
