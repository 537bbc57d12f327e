package dev.trestle.patterns.design;

import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.query.Filter;

/**
 * A query that an application makes, with any value in place of those it will ask for.
 *
 * @param name what the application calls it
 */
public record DeclaredQuery(String name, EntityMapping<?> mapping, Filter filter) {}
