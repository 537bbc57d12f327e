package dev.trestle.patterns;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where a query goes on: a value that can be kept, sent and read again. It says nothing of the query itself, so it is to be
 * used with the same one.
 */
public record PageToken(String continuation) {
    public static PageToken parse(String text) {
        return new PageToken(new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8));
    }

    /** Letters, digits, dashes and underscores only. */
    @Override
    public String toString() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(continuation.getBytes(StandardCharsets.UTF_8));
    }
}
