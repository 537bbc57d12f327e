/** Servers on an HBase cluster, seen from outside. */
@NullMarked
package dev.trestle.conformance;

import org.jspecify.annotations.NullMarked;
