package dev.trestle.model;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One page of a listing. A page may be short, or empty, and still have a next one.
 *
 * @param next the position of the next page; empty on the last one
 */
public record Page<T, C>(List<T> items, Optional<C> next) {
    public Page {
        items = List.copyOf(items);
    }

    /** Returns the page of a listing that is empty. */
    public static <T, C> Page<T, C> empty() {
        return new Page<>(List.of(), Optional.empty());
    }

    /** Returns this page with each item converted. */
    public <R> Page<R, C> map(Function<? super T, R> convert) {
        return new Page<>(items.stream().map(convert).toList(), next);
    }
}
