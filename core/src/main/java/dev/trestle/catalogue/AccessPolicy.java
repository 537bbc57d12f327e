package dev.trestle.catalogue;

import java.util.Optional;
import java.util.OptionalLong;

/** A stored access policy: values for shared access signatures that refer to its id. Times are ticks. */
public record AccessPolicy(String id, OptionalLong start, OptionalLong expiry, Optional<String> permissions) {

    /** Returns whether the policy has no value besides its id. */
    public boolean isBlank() {
        return start.isEmpty() && expiry.isEmpty() && permissions.isEmpty();
    }
}
