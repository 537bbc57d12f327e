package dev.trestle.patterns.design;

import dev.trestle.patterns.query.AccessPath;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What was found about a query.
 *
 * @param remedies the patterns that would mend it, the likeliest first; none if nothing is to be mended
 */
public record QueryFinding(DeclaredQuery query, AccessPath path, String advice, List<GuidePattern> remedies) {
    public QueryFinding {
        remedies = List.copyOf(remedies);
    }

    @Override
    public String toString() {
        String mended = remedies.stream().map(GuidePattern::title).collect(Collectors.joining(", "));
        return query.name() + ": " + path + ". " + advice + (mended.isEmpty() ? "" : " (" + mended + ")");
    }
}
