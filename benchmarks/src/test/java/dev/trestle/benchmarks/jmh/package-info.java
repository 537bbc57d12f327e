/** JMH benchmarks of the pieces that every request goes through. Nothing here runs as a test. */
@NullMarked
package dev.trestle.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
