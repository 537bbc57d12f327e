package dev.trestle.model;

import java.util.Optional;

/** The level of anonymous read access to a container. */
public enum PublicAccess {
    NONE(""),
    /** Blobs by name. */
    BLOB("blob"),
    /** Blobs by name, and the list of blobs. */
    CONTAINER("container");

    private final String word;

    PublicAccess(String word) {
        this.word = word;
    }

    /** Returns the level in the protocol, which omits {@link #NONE}. */
    public String word() {
        return word;
    }

    /** Returns the level of a word in the protocol, or empty if there is none. */
    public static Optional<PublicAccess> of(String word) {
        for (PublicAccess level : values()) {
            if (level.word.equals(word)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }
}
