package dev.trestle.patterns.crypto;

/** Thrown when a value cannot be encrypted, or fails authentication on decryption. Messages never contain keys or plain text. */
public final class EncryptionException extends RuntimeException {
    public EncryptionException(String message) {
        super(message);
    }

    public EncryptionException(String message, Throwable cause) {
        super(message, cause);
    }
}
