package dev.trestle.patterns;

import dev.trestle.patterns.entity.Stored;
import java.util.List;
import java.util.Optional;

/**
 * The results of one request. A page may hold few entities, or none, without being the last.
 *
 * @param next the token of the next page; empty on the last page
 */
public record Page<R>(List<Stored<R>> entities, Optional<PageToken> next) {
    public Page {
        entities = List.copyOf(entities);
    }

    public List<R> values() {
        return entities.stream().map(Stored::value).toList();
    }
}
