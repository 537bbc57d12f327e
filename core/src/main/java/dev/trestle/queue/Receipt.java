package dev.trestle.queue;

import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The pop receipt of a message: the position of its row, valid until the message is received or changed again.
 *
 * <p>Its text is hexadecimal. That is valid base64, which clients expect, and needs no escapes in a URL.
 *
 * @param visible when the message becomes visible, in ticks
 * @param expiry when the message expires, in ticks
 * @param nonce random, so that nobody can guess a receipt
 */
public record Receipt(long visible, long expiry, long nonce) {
    private static final HexFormat HEX = HexFormat.of();
    private static final int FIELD_DIGITS = 16;

    /** Parses a receipt; empty if this server cannot have issued it. */
    public static Optional<Receipt> parse(String text) {
        if (text.length() != 3 * FIELD_DIGITS || !text.chars().allMatch(Receipt::isDigit)) {
            return Optional.empty();
        }
        return Optional.of(new Receipt(field(text, 0), field(text, 1), field(text, 2)));
    }

    /** Returns whether any server of the protocol could have issued this receipt. */
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

    /** Returns the text for clients. */
    @Override
    public String toString() {
        return HEX.toHexDigits(visible) + HEX.toHexDigits(expiry) + HEX.toHexDigits(nonce);
    }
}
