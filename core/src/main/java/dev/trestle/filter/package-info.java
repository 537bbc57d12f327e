/**
 * What is asked of rows: {@link dev.trestle.filter.Filter} as a value, and {@link dev.trestle.filter.RowMatcher}, which
 * answers it on encoded rows. Parsing the text of a filter belongs to the protocol, choosing key ranges to the planner.
 */
@NullMarked
package dev.trestle.filter;

import org.jspecify.annotations.NullMarked;
