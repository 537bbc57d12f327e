package dev.trestle.model;

import java.util.Optional;

/** What anybody may see of a container without credentials. */
public enum PublicAccess {
    NONE(""),
    /** Blobs whose names they know. */
    BLOB("blob"),
    /** Also which blobs there are. */
    CONTAINER("container");

    private final String word;

    PublicAccess(String word) {
        this.word = word;
    }

    /** The level as it is written on the wire, where {@link #NONE} is not written at all. */
    public String word() {
        return word;
    }

    /** The level of this word, or empty when there is none. */
    public static Optional<PublicAccess> of(String word) {
        for (PublicAccess level : values()) {
            if (level.word.equals(word)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }
}
