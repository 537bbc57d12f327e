package dev.trestle.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An HMAC key that signs requests for its account. It signs and compares but is never printed. Thread-safe. */
public final class AccountKey {
    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] secret;

    /** A Mac is not thread-safe, and initializing one costs several times as much as signing. */
    private final ThreadLocal<Mac> mac;

    private AccountKey(byte[] secret) {
        this.secret = secret;
        this.mac = ThreadLocal.withInitial(() -> keyedMac(secret));
    }

    /**
     * Creates a key from its text in connection strings.
     *
     * @throws IllegalArgumentException if the text is not base64 or is empty; the message does not contain the text
     */
    public static AccountKey ofBase64(String text) {
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            // The decoder's own message would contain a character of the key.
            throw new IllegalArgumentException("An account key has to be base64 text, and the one given is not.");
        }
        if (secret.length == 0) {
            throw new IllegalArgumentException("An account key has to be base64 text, and the one given is empty.");
        }
        return new AccountKey(secret);
    }

    /** Whether the signature is this key's for the text; compares in constant time. */
    boolean verify(String text, String signature) {
        return matches(mac.get().doFinal(text.getBytes(StandardCharsets.UTF_8)), signature);
    }

    /** Whether the signature is that of a derived key, which is used once and so has no instance. */
    static boolean verify(byte[] secret, String text, String signature) {
        return matches(digest(secret, text), signature);
    }

    /** Derives a secret for one purpose. It reveals neither the account key nor the secrets of other purposes. */
    byte[] derive(String purpose, String text) {
        return digest(mac.get().doFinal(purpose.getBytes(StandardCharsets.UTF_8)), text);
    }

    private static byte[] digest(byte[] secret, String text) {
        return keyedMac(secret).doFinal(text.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean matches(byte[] digest, String signature) {
        // Compared as text, because several base64 texts decode to the same bytes.
        return MessageDigest.isEqual(Base64.getEncoder().encode(digest), signature.getBytes(StandardCharsets.UTF_8));
    }

    boolean sameAs(AccountKey other) {
        return MessageDigest.isEqual(secret, other.secret);
    }

    private static Mac keyedMac(byte[] secret) {
        try {
            Mac keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(secret, ALGORITHM));
            return keyed;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java runtime has " + ALGORITHM, e);
        }
    }

    @Override
    public String toString() {
        return "***";
    }
}
