package dev.trestle.patterns.design;

import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.query.Filter;

/**
 * A query of an application, with placeholder values.
 *
 * @param name the application's name for the query
 */
public record DeclaredQuery(String name, EntityMapping<?> mapping, Filter filter) {}
