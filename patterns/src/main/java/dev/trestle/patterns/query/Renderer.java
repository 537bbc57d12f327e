package dev.trestle.patterns.query;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes a filter, in which only names are left, in the service's own language. */
final class Renderer {
    private Renderer() {}

    static String render(Filter filter) {
        if (filter instanceof Filter.Comparison comparison) {
            String name = ((Operand.Named) comparison.operand()).name();
            return name + " " + comparison.operator().text() + " " + Literals.render(comparison.value());
        } else if (filter instanceof Filter.All all) {
            return joined(conjunction(all).toList(), " and ");
        } else if (filter instanceof Filter.Any any) {
            boolean everything = any.filters().stream().map(Renderer::render).anyMatch(String::isEmpty);
            return everything ? "" : joined(disjunction(any).toList(), " or ");
        } else if (filter instanceof Filter.Not not) {
            String inner = render(not.filter());
            if (inner.isEmpty()) {
                throw new IllegalArgumentException(
                        "The opposite of everything is nothing, which need not be asked for");
            }
            return "not (" + inner + ")";
        }
        throw new AssertionError(filter);
    }

    /** What is joined by "and" anyway needs no brackets of its own. */
    private static Stream<Filter> conjunction(Filter filter) {
        return filter instanceof Filter.All all
                ? all.filters().stream().flatMap(Renderer::conjunction)
                : Stream.of(filter);
    }

    private static Stream<Filter> disjunction(Filter filter) {
        return filter instanceof Filter.Any any
                ? any.filters().stream().flatMap(Renderer::disjunction)
                : Stream.of(filter);
    }

    private static String joined(List<Filter> filters, String word) {
        List<String> parts = filters.stream()
                .map(Renderer::render)
                .filter(part -> !part.isEmpty())
                .toList();
        return parts.size() <= 1
                ? String.join("", parts)
                : parts.stream().map(part -> "(" + part + ")").collect(Collectors.joining(word));
    }
}
