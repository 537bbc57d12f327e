package dev.trestle.server.table;

import dev.trestle.keyspace.Cesu8;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Base64;

/**
 * Codec of the tokens in continuation headers, which return as query parameters: {@code 1!<n>!<text>}, where the
 * text is base64 with {@code / + =} written as {@code _ * -} and n its length. Safe in headers and URLs, and free of
 * the semicolons and spaces that clients join tokens with.
 */
public final class ContinuationToken {
    private static final String VERSION = "1!";

    private ContinuationToken() {}

    public static String encode(String text) {
        byte[] bytes = Cesu8.encode(text);
        String base64 = Base64.getEncoder()
                .encodeToString(bytes)
                .replace('/', '_')
                .replace('+', '*')
                .replace('=', '-');
        return VERSION + base64.length() + "!" + base64;
    }

    /** Decodes a token; rejects texts that this service cannot have encoded. */
    public static String decode(String token) {
        int mark = token.indexOf('!', VERSION.length());
        if (!token.startsWith(VERSION) || mark < 0) {
            throw invalid();
        }
        String base64 = token.substring(mark + 1);
        if (!token.substring(VERSION.length(), mark).equals(Integer.toString(base64.length()))) {
            throw invalid();
        }
        try {
            byte[] bytes = Base64.getDecoder()
                    .decode(base64.replace('_', '/').replace('*', '+').replace('-', '='));
            String text = Cesu8.decode(bytes, 0, bytes.length);
            if (!encode(text).equals(token)) {
                throw invalid(); // Only the canonical encoding is accepted.
            }
            return text;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw invalid();
        }
    }

    private static StorageException invalid() {
        return new StorageException(StorageError.INVALID_INPUT);
    }
}
