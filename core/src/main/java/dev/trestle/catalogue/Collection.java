package dev.trestle.catalogue;

import java.util.List;

/**
 * A table, queue or container as the catalogue knows it.
 *
 * @param name as it was first written
 * @param id the engine's collection, never used again once this one is deleted
 * @param created in ticks
 */
public record Collection(String name, long id, long created, List<AccessPolicy> policies) {
    public Collection {
        policies = List.copyOf(policies);
    }
}
