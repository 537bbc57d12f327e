/**
 * Starts servers as child processes, for tests, benchmarks and examples: {@link
 * dev.trestle.launcher.ServerProcess}. Knows a server by its command line and its output only.
 */
@NullMarked
package dev.trestle.launcher;

import org.jspecify.annotations.NullMarked;
