/**
 * Storage layouts that make frequent operations cheap: data series in one entity, values larger than an entity, tables per
 * period, bucketed partitions, logs in blobs, denormalized copies and client-side joins.
 */
@NullMarked
package dev.trestle.patterns.layout;

import org.jspecify.annotations.NullMarked;
