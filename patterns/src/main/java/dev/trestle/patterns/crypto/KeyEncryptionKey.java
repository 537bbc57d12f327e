package dev.trestle.patterns.crypto;

/**
 * A key that wraps content keys and never leaves its store: memory ({@link AesKeyEncryptionKey}), a key vault or a hardware
 * security module. Implementations have to be thread-safe.
 */
public interface KeyEncryptionKey {
    /** Returns the id of the key, which is stored with the entities it protects. */
    String id();

    /** Encrypts a content key. */
    byte[] wrap(byte[] contentKey);

    /**
     * Decrypts a content key.
     *
     * @throws EncryptionException if it was wrapped by another key or changed
     */
    byte[] unwrap(byte[] wrapped);
}
