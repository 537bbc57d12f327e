/**
 * How load is made and measured: what is asked ({@link dev.trestle.benchmarks.load.Workload}) of which server ({@link
 * dev.trestle.benchmarks.load.Target}), when ({@link dev.trestle.benchmarks.load.Pace}), and what a stretch of it came
 * to ({@link dev.trestle.benchmarks.load.Round}). Knows nothing of reports, nor of the code of any server.
 */
@NullMarked
package dev.trestle.benchmarks.load;

import org.jspecify.annotations.NullMarked;
