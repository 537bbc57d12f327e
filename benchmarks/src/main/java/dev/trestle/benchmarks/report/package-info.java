/** The results of a run as text and as JSON. */
@NullMarked
package dev.trestle.benchmarks.report;

import org.jspecify.annotations.NullMarked;
