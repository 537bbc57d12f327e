package dev.trestle.patterns.design;

import dev.trestle.patterns.query.AccessPath;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The review of a query.
 *
 * @param remedies the patterns that would make it cheaper, most suitable first; empty if it is cheap already
 */
public record QueryFinding(DeclaredQuery query, AccessPath path, String advice, List<GuidePattern> remedies) {
    public QueryFinding {
        remedies = List.copyOf(remedies);
    }

    @Override
    public String toString() {
        String titles = remedies.stream().map(GuidePattern::title).collect(Collectors.joining(", "));
        return query.name() + ": " + path + ". " + advice + (titles.isEmpty() ? "" : " (" + titles + ")");
    }
}
