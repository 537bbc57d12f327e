package dev.trestle.catalogue;

import java.util.List;
import java.util.Map;

/**
 * A table, queue or container as the catalogue knows it.
 *
 * @param name as it was first written
 * @param id the engine's collection, never used again once this one is deleted
 * @param created in ticks
 * @param metadata what its owner wrote on it; names differ by more than their case
 * @param attributes what its service keeps with it
 */
public record CatalogueEntry(
        String name,
        long id,
        long created,
        List<AccessPolicy> policies,
        Map<String, String> metadata,
        Map<String, String> attributes) {
    public CatalogueEntry {
        policies = List.copyOf(policies);
        metadata = Map.copyOf(metadata);
        attributes = Map.copyOf(attributes);
    }

    CatalogueEntry withId(long changed) {
        return new CatalogueEntry(name, changed, created, policies, metadata, attributes);
    }

    public CatalogueEntry withPolicies(List<AccessPolicy> changed) {
        return new CatalogueEntry(name, id, created, changed, metadata, attributes);
    }

    public CatalogueEntry withMetadata(Map<String, String> changed) {
        return new CatalogueEntry(name, id, created, policies, changed, attributes);
    }

    public CatalogueEntry withAttributes(Map<String, String> changed) {
        return new CatalogueEntry(name, id, created, policies, metadata, changed);
    }
}
