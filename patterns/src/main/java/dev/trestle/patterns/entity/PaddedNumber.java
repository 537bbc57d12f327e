package dev.trestle.patterns.entity;

/**
 * Whole numbers as text of one length, so that they sort as numbers do. An unsigned form refuses negative numbers; a signed
 * one adds half of what its digits can hold, so that negative numbers come before positive ones.
 */
public final class PaddedNumber {
    /** As many digits as any long needs once the smallest of them is moved to zero. */
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

    /** Numbers from zero up to those of this many digits, at most 19. */
    public static PaddedNumber unsigned(int digits) {
        if (digits < 1 || digits > DIGITS_MAX_UNSIGNED) {
            throw new IllegalArgumentException("Between 1 and 19 digits are possible, not " + digits);
        }
        return new PaddedNumber(digits, 0, digits == DIGITS_MAX_UNSIGNED ? Long.MAX_VALUE : power(digits) - 1);
    }

    /** Numbers between minus and plus {@code 5 * 10^(digits - 1)}, the latter not included, or any number for 20 digits. */
    public static PaddedNumber signed(int digits) {
        if (digits == DIGITS_OF_ANY_LONG) {
            return new PaddedNumber(digits, Long.MIN_VALUE, Long.MAX_VALUE);
        }
        if (digits < 1 || digits >= DIGITS_MAX_UNSIGNED) {
            throw new IllegalArgumentException("Between 1 and 18 digits or 20 are possible, not " + digits);
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
            throw new IllegalArgumentException("'" + text + "' is more than a long can hold");
        }
        return number;
    }
}
