package dev.trestle.patterns.crypto;

/**
 * A key that encrypts other keys and never leaves its keeper: in memory ({@link AesKeyEncryptionKey}), in a vault or a
 * security module. Called from many threads.
 */
public interface KeyEncryptionKey {
    /** What names the key, in the entities it protects too. */
    String id();

    byte[] wrap(byte[] contentKey);

    /**
     * The content key again.
     *
     * @throws EncryptionException if it was wrapped by another key, or changed since
     */
    byte[] unwrap(byte[] wrapped);
}
