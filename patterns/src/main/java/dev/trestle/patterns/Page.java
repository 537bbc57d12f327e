package dev.trestle.patterns;

import dev.trestle.patterns.entity.Stored;
import java.util.List;
import java.util.Optional;

/**
 * What one request brought. It may hold few entities, or none, and still not be the last.
 *
 * @param next where to go on; empty on the last page
 */
public record Page<R>(List<Stored<R>> entities, Optional<PageToken> next) {
    public Page {
        entities = List.copyOf(entities);
    }

    public List<R> values() {
        return entities.stream().map(Stored::value).toList();
    }
}
