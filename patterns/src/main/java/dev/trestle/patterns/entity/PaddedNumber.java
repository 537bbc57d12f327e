package dev.trestle.patterns.entity;

/**
 * A codec of integers as zero-padded text that sorts numerically. The unsigned form rejects negative numbers; the signed form adds
 * half its range, so that negative numbers sort before positive ones.
 */
public final class PaddedNumber {
    /** The number of digits of any long after adding the offset. */
    private static final int DIGITS_OF_ANY_LONG = 20;

    private static final int DIGITS_MAX_UNSIGNED = 19;

    private final int digits;
    private final long offset;
    private final long max;

    private PaddedNumber(int digits, long offset, long max) {
        this.digits = digits;
        this.offset = offset;
        this.max = max;
    }

    /** Returns the codec of numbers from zero with at most this many digits, 1 to 19. */
    public static PaddedNumber unsigned(int digits) {
        if (digits < 1 || digits > DIGITS_MAX_UNSIGNED) {
            throw new IllegalArgumentException("digits must be 1 to 19, not " + digits);
        }
        return new PaddedNumber(digits, 0, digits == DIGITS_MAX_UNSIGNED ? Long.MAX_VALUE : power(digits) - 1);
    }

    /**
     * Returns the codec of numbers from {@code -5 * 10^(digits - 1)}, inclusive, to {@code 5 * 10^(digits - 1)}, exclusive; with 20
     * digits, of any number.
     */
    public static PaddedNumber signed(int digits) {
        if (digits == DIGITS_OF_ANY_LONG) {
            return new PaddedNumber(digits, Long.MIN_VALUE, Long.MAX_VALUE);
        }
        if (digits < 1 || digits >= DIGITS_MAX_UNSIGNED) {
            throw new IllegalArgumentException("digits must be 1 to 18 or 20, not " + digits);
        }
        long offset = power(digits) / 2;
        return new PaddedNumber(digits, offset, offset - 1);
    }

    private static long power(int exponent) {
        long power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= 10;
        }
        return power;
    }

    public int digits() {
        return digits;
    }

    public String format(long number) {
        if (number > max || number < min()) {
            throw new IllegalArgumentException(
                    number + " does not fit: " + digits + " digits hold " + min() + " to " + max);
        }
        String text = Long.toUnsignedString(number + offset);
        return "0".repeat(digits - text.length()) + text;
    }

    private long min() {
        return offset == Long.MIN_VALUE ? Long.MIN_VALUE : -offset;
    }

    public long parse(String text) {
        if (text.length() != digits || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new IllegalArgumentException("'" + text + "' is not a number of " + digits + " digits");
        }
        long number = Long.parseUnsignedLong(text) - offset;
        if (number > max || number < min()) {
            throw new IllegalArgumentException("'" + text + "' is out of range: more than a long can hold");
        }
        return number;
    }
}
