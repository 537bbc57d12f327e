package dev.trestle.patterns.crypto;

import java.util.List;
import java.util.Optional;

/** Which key encrypts what is written now, and where the keys are that older entities were written with. */
public interface KeyResolver {
    /** The key for what is written from now on. */
    KeyEncryptionKey current();

    /** A key by its id; empty if it is not known any more. */
    Optional<KeyEncryptionKey> find(String id);

    /** A resolver of fixed keys: the current one, and older ones that are only read with. */
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
