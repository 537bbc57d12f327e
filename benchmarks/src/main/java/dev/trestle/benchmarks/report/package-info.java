/** What a run found, as text, as JSON and drawn. Measures nothing. */
@NullMarked
package dev.trestle.benchmarks.report;

import org.jspecify.annotations.NullMarked;
