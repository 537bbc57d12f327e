package dev.trestle.patterns.design;

import dev.trestle.patterns.entity.EntityType;

/** A warning about a type whose key templates make a partition hot. */
public record KeyWarning(EntityType<?> type, String warning, GuidePattern remedy) {
    @Override
    public String toString() {
        return type.name() + ": " + warning + " (" + remedy.title() + ")";
    }
}
