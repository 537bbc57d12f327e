/** JMH benchmarks of the code of every request. They do not run as tests. */
@NullMarked
package dev.trestle.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
