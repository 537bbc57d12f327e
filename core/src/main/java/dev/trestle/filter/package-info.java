/**
 * Filters on entities: {@link dev.trestle.filter.Filter} is the entry type, a syntax tree, and
 * {@link dev.trestle.filter.RowMatcher} evaluates it on encoded rows. Must not know the text of filters, which the
 * protocol parses, nor key ranges, which the planner chooses.
 */
@NullMarked
package dev.trestle.filter;

import org.jspecify.annotations.NullMarked;
