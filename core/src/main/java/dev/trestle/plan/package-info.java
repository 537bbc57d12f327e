/**
 * The query planner. {@link dev.trestle.plan.Planner} is the entry type: it turns a filter into a
 * {@link dev.trestle.plan.QueryPlan} of key ranges and a residual filter, as a pure function of the filter. Must
 * not know tables, engines or data.
 */
@NullMarked
package dev.trestle.plan;

import org.jspecify.annotations.NullMarked;
