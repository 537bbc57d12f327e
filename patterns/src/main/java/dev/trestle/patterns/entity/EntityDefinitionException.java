package dev.trestle.patterns.entity;

import java.util.List;

/** Thrown when a class cannot be mapped to entities. The message lists all problems of the declaration and how to fix them. */
public final class EntityDefinitionException extends RuntimeException {
    private final transient List<String> complaints;

    EntityDefinitionException(Class<?> type, List<String> complaints) {
        super(type.getName() + " cannot be mapped to entities:\n  - " + String.join("\n  - ", complaints));
        this.complaints = List.copyOf(complaints);
    }

    /** Returns all problems, in the order of the declaration. */
    public List<String> complaints() {
        return complaints;
    }
}
