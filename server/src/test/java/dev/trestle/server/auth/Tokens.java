package dev.trestle.server.auth;

import dev.trestle.model.Ticks;
import dev.trestle.server.auth.jwt.TokenVerifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/** An issuer of bearer tokens, and a verifier that trusts it. */
public final class Tokens {
    public static final String ISSUER = "https://sts.example.org/tenant/";
    public static final String AUDIENCE = "https://storage.azure.com";
    static final String OID = "5d6b0b3e-7a0c-4a8c-9f59-0f2b0c5d1a11";
    static final String TID = "f0e1d2c3-0000-4000-8000-0a0b0c0d0e0f";

    private static final KeyPair KEYS = generate();

    /** Takes the tokens of this issuer, at the time of the tests. */
    static final TokenVerifier VERIFIER = verifier();

    private Tokens() {}

    private static KeyPair generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static TokenVerifier verifier() {
        try {
            Path file = Files.createTempFile("jwks", ".json");
            try {
                Files.writeString(file, keySet());
                return TokenVerifier.load(file, ISSUER, AUDIENCE, () -> Judge.NOW);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The issuer's public keys, a JSON Web Key Set. */
    public static String keySet() {
        RSAPublicKey key = (RSAPublicKey) KEYS.getPublic();
        return "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"kid\":\"k1\",\"n\":\"" + base64(key.getModulus())
                + "\",\"e\":\"" + base64(key.getPublicExponent()) + "\"}]}";
    }

    /** Returns a valid token. */
    public static String good() {
        return token("\"oid\":\"" + OID + "\",\"tid\":\"" + TID + "\"");
    }

    /** Returns a valid token with these additional claims. */
    public static String token(String furtherClaims) {
        String claims = "{\"iss\":\"" + ISSUER + "\",\"aud\":\"" + AUDIENCE + "/\",\"exp\":"
                + Judge.NOW.plusSeconds(3600).getEpochSecond() + "," + furtherClaims + "}";
        String signed = base64("{\"alg\":\"RS256\",\"kid\":\"k1\",\"typ\":\"JWT\"}") + "." + base64(claims);
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(KEYS.getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** A user delegation key, issued two hours ago and valid for a day. */
    public static UserDelegation.Key delegationKey() {
        return UserDelegation.issue(
                Accounts.DEVELOPMENT.find(Requests.ACCOUNT).orElseThrow(),
                OID,
                TID,
                ticks("2026-03-02T08:00:00Z"),
                ticks("2026-03-03T08:00:00Z"),
                "b",
                "2026-06-06");
    }

    static long ticks(String instant) {
        return Ticks.of(Instant.parse(instant));
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(BigInteger number) {
        byte[] bytes = number.toByteArray();
        int sign = bytes[0] == 0 ? 1 : 0;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOfRange(bytes, sign, bytes.length));
    }
}
