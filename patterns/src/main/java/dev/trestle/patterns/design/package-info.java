/**
 * Looks at a design before it costs: which way each query takes, and which partitions will be hot.
 * {@link dev.trestle.patterns.design.DesignAdvisor} is the way in. Nothing here talks to a service.
 */
@NullMarked
package dev.trestle.patterns.design;

import org.jspecify.annotations.NullMarked;
