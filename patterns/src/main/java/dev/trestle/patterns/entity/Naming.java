package dev.trestle.patterns.entity;

import java.util.Locale;

/** How the name of a component becomes the name of a property. */
public enum Naming {
    /** {@code firstName} stays {@code firstName}. */
    AS_DECLARED,
    /** {@code firstName} becomes {@code FirstName}, the custom of the service's own documents. */
    CAPITALIZED;

    String apply(String name) {
        return switch (this) {
            case AS_DECLARED -> name;
            case CAPITALIZED -> name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        };
    }
}
