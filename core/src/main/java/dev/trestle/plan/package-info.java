/**
 * From what is asked to where to look: {@link dev.trestle.plan.Planner} turns a filter into a
 * {@link dev.trestle.plan.QueryPlan}, a pure function of the filter alone. It knows keys and filters, not tables,
 * engines or data.
 */
@NullMarked
package dev.trestle.plan;

import org.jspecify.annotations.NullMarked;
