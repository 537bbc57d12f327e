package dev.trestle.patterns.entity;

import java.util.ArrayList;
import java.util.List;

/** What is wrong with a declaration, gathered so that one exception can tell it all. */
final class Complaints {
    private final Class<?> type;
    private final List<String> found = new ArrayList<>();

    Complaints(Class<?> type) {
        this.type = type;
    }

    void add(String complaint) {
        found.add(complaint);
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
