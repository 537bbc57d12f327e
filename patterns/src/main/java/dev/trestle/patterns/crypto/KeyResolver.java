package dev.trestle.patterns.crypto;

import java.util.List;
import java.util.Optional;

/** Resolves key encryption keys: the current one for writes, and any by id for reads. Implementations have to be thread-safe. */
public interface KeyResolver {
    /** Returns the key for writes. */
    KeyEncryptionKey current();

    /** Returns a key by its id; empty if it is unknown. */
    Optional<KeyEncryptionKey> find(String id);

    /** Returns a resolver of fixed keys: the current one, and older ones for reads only. */
    static KeyResolver of(KeyEncryptionKey current, KeyEncryptionKey... older) {
        List<KeyEncryptionKey> retired = List.of(older);
        return new KeyResolver() {
            @Override
            public KeyEncryptionKey current() {
                return current;
            }

            @Override
            public Optional<KeyEncryptionKey> find(String id) {
                return current.id().equals(id)
                        ? Optional.of(current)
                        : retired.stream().filter(key -> key.id().equals(id)).findFirst();
            }
        };
    }
}
