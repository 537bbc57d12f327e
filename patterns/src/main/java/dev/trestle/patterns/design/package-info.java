/**
 * A review of table designs: the access path of each query, and partitions that will be hot. Start with
 * {@link dev.trestle.patterns.design.DesignAdvisor}. Sends no requests.
 */
@NullMarked
package dev.trestle.patterns.design;

import org.jspecify.annotations.NullMarked;
