package dev.trestle.server.auth.jwt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.OptionalLong;

/**
 * Verifies JSON Web Tokens of one issuer for one audience (RFC 7519, with the precautions of RFC 8725). Before the
 * signature is verified, nothing in a token is trusted; only the key id and algorithm are read. Thread-safe.
 */
public final class TokenVerifier {
    private static final int TOKEN_CHARACTERS_MAX = 16 << 10;
    private static final long KEYS_BYTES_MAX = 1 << 20;

    /** Tolerated clock skew of {@code nbf}; the expiry has no tolerance. */
    private static final Duration AHEAD_MAX = Duration.ofMinutes(5);

    private final WebKeySet keys;
    private final String issuer;
    private final String audience;
    private final InstantSource clock;

    TokenVerifier(WebKeySet keys, String issuer, String audience, InstantSource clock) {
        this.keys = keys;
        this.issuer = issuer;
        this.audience = withoutSlash(audience);
        this.clock = clock;
    }

    /**
     * Creates a verifier with the keys that are in a file now.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if it is not a valid key set; the message completes a sentence about the file
     */
    public static TokenVerifier load(Path keys, String issuer, String audience, InstantSource clock)
            throws IOException {
        if (Files.size(keys) > KEYS_BYTES_MAX) {
            throw new IllegalArgumentException("it is larger than a JSON Web Key Set can be");
        }
        return new TokenVerifier(WebKeySet.read(Files.readAllBytes(keys)), issuer, audience, clock);
    }

    /** Returns the claims of a token if it is valid. */
    public Claims verify(String token) throws InvalidTokenException {
        if (token.length() > TOKEN_CHARACTERS_MAX) {
            throw new InvalidTokenException("The token is too large.");
        }
        int first = token.indexOf('.');
        int last = token.lastIndexOf('.');
        if (first < 0 || token.indexOf('.', first + 1) != last || first == last) {
            throw new InvalidTokenException("The token does not have three parts.");
        }
        WebKey key = key(object(token.substring(0, first)));
        byte[] signed = token.substring(0, last).getBytes(StandardCharsets.ISO_8859_1);
        if (!key.algorithm().verify(key.key(), signed, decoded(token.substring(last + 1)))) {
            throw new InvalidTokenException("The signature of the token does not match.");
        }
        return claims(object(token.substring(first + 1, last)));
    }

    private WebKey key(JsonObject header) throws InvalidTokenException {
        Algorithm algorithm = header.text("alg")
                .flatMap(Algorithm::of)
                .orElseThrow(() -> new InvalidTokenException("The token is signed neither by RS256 nor by ES256."));
        if (header.has("crit")) {
            throw new InvalidTokenException("The token has an extension that must be understood and is not.");
        }
        WebKey key = header.text("kid")
                .flatMap(keys::find)
                .orElseThrow(() -> new InvalidTokenException("The token is signed by a key that is not known."));
        if (key.algorithm() != algorithm) {
            throw new InvalidTokenException("The token is signed otherwise than its key is for.");
        }
        return key;
    }

    private Claims claims(JsonObject payload) throws InvalidTokenException {
        long now = clock.instant().getEpochSecond();
        OptionalLong expiry = payload.number("exp");
        if (expiry.isEmpty() || now >= expiry.getAsLong()) {
            throw new InvalidTokenException("Lifetime validation failed. The token is expired.");
        }
        if (payload.has("nbf")) {
            OptionalLong notBefore = payload.number("nbf");
            if (notBefore.isEmpty() || now + AHEAD_MAX.toSeconds() < notBefore.getAsLong()) {
                throw new InvalidTokenException("The token is not valid yet.");
            }
        }
        if (!payload.text("iss").filter(issuer::equals).isPresent()) {
            throw new InvalidTokenException("Issuer validation failed. Issuer did not match.");
        }
        if (payload.texts("aud").stream().noneMatch(text -> withoutSlash(text).equals(audience))) {
            throw new InvalidTokenException("Audience validation failed. Audience did not match.");
        }
        return new Claims(payload.text("oid"), payload.text("tid"));
    }

    private static JsonObject object(String part) throws InvalidTokenException {
        try {
            return JsonObject.read(decoded(part));
        } catch (MalformedJsonException e) {
            throw new InvalidTokenException("A part of the token is not a JSON object.");
        }
    }

    private static byte[] decoded(String part) throws InvalidTokenException {
        try {
            return Base64.getUrlDecoder().decode(part);
        } catch (IllegalArgumentException e) {
            throw new InvalidTokenException("A part of the token is not base64url.");
        }
    }

    /** Removes a final slash: clients request the audience with and without it. */
    private static String withoutSlash(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }
}
