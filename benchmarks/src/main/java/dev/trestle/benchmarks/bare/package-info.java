/** The baseline of benchmarks: {@link dev.trestle.benchmarks.bare.BareLoop}, a minimal server of Vert.x and RocksDB. */
@NullMarked
package dev.trestle.benchmarks.bare;

import org.jspecify.annotations.NullMarked;
