/**
 * What is asked of a table: filters built of typed conditions, rendered so that no value can be read as syntax, and which way
 * the service takes to answer them. {@link dev.trestle.patterns.query.Filters} is the way in. Nothing here talks to a service.
 */
@NullMarked
package dev.trestle.patterns.query;

import org.jspecify.annotations.NullMarked;
