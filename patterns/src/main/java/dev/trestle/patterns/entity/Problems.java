package dev.trestle.patterns.entity;

import java.util.ArrayList;
import java.util.List;

/** Collects the problems of a declaration, so that one exception can list them all. */
final class Problems {
    private final Class<?> type;
    private final List<String> found = new ArrayList<>();

    Problems(Class<?> type) {
        this.type = type;
    }

    void add(String problem) {
        found.add(problem);
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    EntityDefinitionException exception() {
        return new EntityDefinitionException(type, found);
    }

    void throwIfAny() {
        if (!found.isEmpty()) {
            throw exception();
        }
    }
}
