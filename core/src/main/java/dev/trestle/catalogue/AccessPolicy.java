package dev.trestle.catalogue;

import java.util.Optional;
import java.util.OptionalLong;

/** A stored access policy: what a shared access signature that names its id may leave out. Times are ticks. */
public record AccessPolicy(String id, OptionalLong start, OptionalLong expiry, Optional<String> permissions) {

    /** Whether the policy says nothing but its id. */
    public boolean isBlank() {
        return start.isEmpty() && expiry.isEmpty() && permissions.isEmpty();
    }
}
