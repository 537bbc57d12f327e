package dev.trestle.patterns.entity;

import java.util.Locale;

/** The convention for property names. */
public enum Naming {
    /** {@code firstName} stays {@code firstName}. */
    AS_DECLARED,
    /** {@code firstName} becomes {@code FirstName}, the convention of the service documentation. */
    CAPITALIZED;

    String apply(String name) {
        return switch (this) {
            case AS_DECLARED -> name;
            case CAPITALIZED -> name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        };
    }
}
