/**
 * What servers cost. {@link dev.trestle.benchmarks.Bench} is the command {@code trestle bench}: it starts servers where
 * asked to, gives them data, puts them under load and reports. It knows Trestle only as a program that can be started.
 */
@NullMarked
package dev.trestle.benchmarks;

import org.jspecify.annotations.NullMarked;
