package dev.trestle.patterns.entity;

import java.util.List;

/** A class that cannot be stored as it is declared. The message lists everything that is wrong, and how to mend it. */
public final class EntityDefinitionException extends RuntimeException {
    private final transient List<String> complaints;

    EntityDefinitionException(Class<?> type, List<String> complaints) {
        super(type.getName() + " cannot be mapped to entities:\n  - " + String.join("\n  - ", complaints));
        this.complaints = List.copyOf(complaints);
    }

    /** Each thing that is wrong, in the order of the declaration. */
    public List<String> complaints() {
        return complaints;
    }
}
