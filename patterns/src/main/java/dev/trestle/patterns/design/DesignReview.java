package dev.trestle.patterns.design;

import dev.trestle.patterns.query.AccessPath;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The result of a design review. */
public record DesignReview(List<QueryFinding> queries, List<KeyWarning> warnings) {
    public DesignReview {
        queries = List.copyOf(queries);
        warnings = List.copyOf(warnings);
    }

    /** Returns whether no query scans a table and no partition is hot by design. */
    public boolean isSound() {
        return warnings.isEmpty() && queries.stream().noneMatch(query -> query.path() == AccessPath.TABLE_SCAN);
    }

    /** Returns one line per finding. */
    @Override
    public String toString() {
        return Stream.concat(queries.stream(), warnings.stream())
                .map(Object::toString)
                .collect(Collectors.joining("\n"));
    }
}
