/**
 * Filters made of typed conditions, rendered to OData with all values escaped, and the access path of a filter. Start with
 * {@link dev.trestle.patterns.query.Filters}. Sends no requests.
 */
@NullMarked
package dev.trestle.patterns.query;

import org.jspecify.annotations.NullMarked;
