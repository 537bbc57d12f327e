package dev.trestle.patterns.crypto;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** AES in Galois/counter mode: a fresh nonce, then the encrypted bytes with a tag that also covers what they belong to. */
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

    static byte[] encrypt(byte[] key, byte[] plain, byte[] belongsTo) {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        try {
            byte[] encrypted =
                    cipher(Cipher.ENCRYPT_MODE, key, nonce, belongsTo).doFinal(plain);
            return ByteBuffer.allocate(NONCE_BYTES + encrypted.length)
                    .put(nonce)
                    .put(encrypted)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("This Java cannot encrypt with AES in Galois/counter mode", e);
        }
    }

    /** The plain bytes, if the encrypted ones and what they belong to are as they were. */
    static byte[] decrypt(byte[] key, byte[] sealed, byte[] belongsTo, String what) {
        if (sealed.length < NONCE_BYTES) {
            throw new EncryptionException(what + " is too short to be encrypted");
        }
        byte[] nonce = new byte[NONCE_BYTES];
        byte[] encrypted = new byte[sealed.length - NONCE_BYTES];
        ByteBuffer.wrap(sealed).get(nonce).get(encrypted);
        try {
            return cipher(Cipher.DECRYPT_MODE, key, nonce, belongsTo).doFinal(encrypted);
        } catch (AEADBadTagException e) {
            throw new EncryptionException(
                    what + " was changed, moved here from elsewhere, or encrypted with another key", e);
        } catch (GeneralSecurityException e) {
            throw new EncryptionException(what + " cannot be decrypted", e);
        }
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, byte[] belongsTo) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(belongsTo);
        return cipher;
    }
}
