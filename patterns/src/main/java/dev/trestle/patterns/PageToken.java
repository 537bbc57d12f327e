package dev.trestle.patterns;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The continuation token of a query, which can be stored and sent as text. It does not contain the query: use it only with the
 * same one.
 */
public record PageToken(String continuation) {
    public static PageToken parse(String text) {
        return new PageToken(new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8));
    }

    /** Returns the token in the URL-safe Base64 alphabet, for {@link #parse}. */
    @Override
    public String toString() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(continuation.getBytes(StandardCharsets.UTF_8));
    }
}
