package dev.trestle.patterns.crypto;

/** Something cannot be encrypted, or what was read is not what was encrypted. Never names a key's bytes or a plain text. */
public final class EncryptionException extends RuntimeException {
    public EncryptionException(String message) {
        super(message);
    }

    public EncryptionException(String message, Throwable cause) {
        super(message, cause);
    }
}
