/**
 * A real HBase cluster on this machine: {@link dev.trestle.sandbox.Sandbox} starts, kills and stops its processes.
 * This package depends on the JDK only. The code that runs in the processes is in {@code node}, and gets its
 * parameters on the command line.
 */
@NullMarked
package dev.trestle.sandbox;

import org.jspecify.annotations.NullMarked;
