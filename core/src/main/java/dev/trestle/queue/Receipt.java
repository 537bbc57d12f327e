package dev.trestle.queue;

import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What shows that its bearer was the last to take or change a message: where the message is until somebody else does.
 *
 * <p>The text is hexadecimal, which is base64 as well, as clients expect, and needs no escapes in an address.
 *
 * @param visible when the message becomes visible, in ticks
 * @param expiry when the message expires, in ticks
 * @param nonce drawn anew each time, so that a receipt cannot be guessed
 */
public record Receipt(long visible, long expiry, long nonce) {
    private static final HexFormat HEX = HexFormat.of();
    private static final int FIELD_DIGITS = 16;

    /** The receipt in the text, or empty when it was not given by this server. */
    public static Optional<Receipt> parse(String text) {
        if (text.length() != 3 * FIELD_DIGITS || !text.chars().allMatch(Receipt::isDigit)) {
            return Optional.empty();
        }
        return Optional.of(new Receipt(field(text, 0), field(text, 1), field(text, 2)));
    }

    /** Whether the text could be a receipt of any server of this kind, this one or another. */
    public static boolean isWellFormed(String text) {
        try {
            return Base64.getDecoder().decode(text).length > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isDigit(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }

    private static long field(String text, int index) {
        return HexFormat.fromHexDigitsToLong(text, index * FIELD_DIGITS, (index + 1) * FIELD_DIGITS);
    }

    /** The text a client is given. */
    @Override
    public String toString() {
        return HEX.toHexDigits(visible) + HEX.toHexDigits(expiry) + HEX.toHexDigits(nonce);
    }
}
