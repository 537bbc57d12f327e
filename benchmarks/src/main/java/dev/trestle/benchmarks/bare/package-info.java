/** The least that HTTP and RocksDB together can cost: {@link dev.trestle.benchmarks.bare.BareLoop}, a server. */
@NullMarked
package dev.trestle.benchmarks.bare;

import org.jspecify.annotations.NullMarked;
