/**
 * A real HBase cluster on this machine: {@link dev.trestle.sandbox.Sandbox} starts, kills and stops its processes. This
 * room needs the JDK alone; what runs inside those processes is in {@code node}, and the two meet only on a command
 * line.
 */
@NullMarked
package dev.trestle.sandbox;

import org.jspecify.annotations.NullMarked;
