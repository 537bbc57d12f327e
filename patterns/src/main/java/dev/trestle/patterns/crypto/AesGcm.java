package dev.trestle.patterns.crypto;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** AES-256-GCM. The format is a random nonce, then the ciphertext with a tag that also authenticates the associated data. */
final class AesGcm {
    static final int KEY_BYTES = 32;

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private AesGcm() {}

    static byte[] randomKey() {
        byte[] key = new byte[KEY_BYTES];
        RANDOM.nextBytes(key);
        return key;
    }

    static byte[] encrypt(byte[] key, byte[] plain, byte[] associatedData) {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        try {
            byte[] encrypted =
                    cipher(Cipher.ENCRYPT_MODE, key, nonce, associatedData).doFinal(plain);
            return ByteBuffer.allocate(NONCE_BYTES + encrypted.length)
                    .put(nonce)
                    .put(encrypted)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("The Java runtime does not support AES/GCM", e);
        }
    }

    /** Decrypts, and throws if the ciphertext or the associated data were changed. */
    static byte[] decrypt(byte[] key, byte[] sealed, byte[] associatedData, String what) {
        if (sealed.length < NONCE_BYTES) {
            throw new EncryptionException(what + " is too short to be encrypted");
        }
        byte[] nonce = new byte[NONCE_BYTES];
        byte[] encrypted = new byte[sealed.length - NONCE_BYTES];
        ByteBuffer.wrap(sealed).get(nonce).get(encrypted);
        try {
            return cipher(Cipher.DECRYPT_MODE, key, nonce, associatedData).doFinal(encrypted);
        } catch (AEADBadTagException e) {
            throw new EncryptionException(
                    what + " was changed, moved from another entity or property, or encrypted with another key", e);
        } catch (GeneralSecurityException e) {
            throw new EncryptionException(what + " cannot be decrypted", e);
        }
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, byte[] associatedData)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(associatedData);
        return cipher;
    }
}
