package dev.trestle.patterns.query;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Renders a resolved filter as an OData filter. */
final class ODataRenderer {
    private ODataRenderer() {}

    static String render(Filter filter) {
        if (filter instanceof Filter.Comparison comparison) {
            String name = ((Operand.Named) comparison.operand()).name();
            return name + " " + comparison.operator().text() + " " + ODataLiterals.render(comparison.value());
        } else if (filter instanceof Filter.All all) {
            return joined(conjunction(all).toList(), " and ");
        } else if (filter instanceof Filter.Any any) {
            boolean everything =
                    any.filters().stream().map(ODataRenderer::render).anyMatch(String::isEmpty);
            return everything ? "" : joined(disjunction(any).toList(), " or ");
        } else if (filter instanceof Filter.Not not) {
            String inner = render(not.filter());
            if (inner.isEmpty()) {
                throw new IllegalArgumentException(
                        "The filter never matches: it is the negation of a filter that matches everything");
            }
            return "not (" + inner + ")";
        }
        throw new AssertionError(filter);
    }

    /** Flattens nested conjunctions, which need no parentheses. */
    private static Stream<Filter> conjunction(Filter filter) {
        return filter instanceof Filter.All all
                ? all.filters().stream().flatMap(ODataRenderer::conjunction)
                : Stream.of(filter);
    }

    private static Stream<Filter> disjunction(Filter filter) {
        return filter instanceof Filter.Any any
                ? any.filters().stream().flatMap(ODataRenderer::disjunction)
                : Stream.of(filter);
    }

    private static String joined(List<Filter> filters, String word) {
        List<String> parts = filters.stream()
                .map(ODataRenderer::render)
                .filter(part -> !part.isEmpty())
                .toList();
        return parts.size() <= 1
                ? String.join("", parts)
                : parts.stream().map(part -> "(" + part + ")").collect(Collectors.joining(word));
    }
}
