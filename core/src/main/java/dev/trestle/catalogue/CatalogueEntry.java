package dev.trestle.catalogue;

import java.util.List;
import java.util.Map;

/**
 * A table, queue or container in the catalogue.
 *
 * @param name in the case in which it was created
 * @param id of the engine's collection; never reused after a deletion
 * @param created in ticks
 * @param metadata given by the client; no two names differ by case only
 * @param attributes set by the service
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
