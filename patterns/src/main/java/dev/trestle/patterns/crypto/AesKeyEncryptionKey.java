package dev.trestle.patterns.crypto;

import java.nio.charset.StandardCharsets;

/** A 256-bit AES key encryption key held in memory. Thread-safe. */
public final class AesKeyEncryptionKey implements KeyEncryptionKey {
    private final String id;
    private final byte[] key;

    public AesKeyEncryptionKey(String id, byte[] key) {
        if (key.length != AesGcm.KEY_BYTES) {
            throw new IllegalArgumentException("A key has " + AesGcm.KEY_BYTES + " bytes, not " + key.length);
        }
        this.id = id;
        this.key = key.clone();
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public byte[] wrap(byte[] contentKey) {
        return AesGcm.encrypt(key, contentKey, idBytes());
    }

    @Override
    public byte[] unwrap(byte[] wrapped) {
        return AesGcm.decrypt(key, wrapped, idBytes(), "The content key");
    }

    private byte[] idBytes() {
        return id.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "key " + id;
    }
}
