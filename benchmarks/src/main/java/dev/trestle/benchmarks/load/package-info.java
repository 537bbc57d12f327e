/**
 * The load generator: which requests ({@link dev.trestle.benchmarks.load.Workload}) go to which server ({@link
 * dev.trestle.benchmarks.load.Target}) at which rate ({@link dev.trestle.benchmarks.load.Pace}), measured in rounds ({@link
 * dev.trestle.benchmarks.load.Round}). It depends neither on reports nor on the code of any server.
 */
@NullMarked
package dev.trestle.benchmarks.load;

import org.jspecify.annotations.NullMarked;
