package dev.trestle.patterns.design;

import dev.trestle.patterns.entity.EntityType;

/** A hot partition that comes of how the keys of a type are made. */
public record KeyWarning(EntityType<?> type, String warning, GuidePattern remedy) {
    @Override
    public String toString() {
        return type.name() + ": " + warning + " (" + remedy.title() + ")";
    }
}
