/**
 * Benchmarks of servers. {@link dev.trestle.benchmarks.Bench} is the command {@code trestle bench}: it starts servers, loads
 * data, generates load and reports. It knows Trestle only as a program that it can start.
 */
@NullMarked
package dev.trestle.benchmarks;

import org.jspecify.annotations.NullMarked;
