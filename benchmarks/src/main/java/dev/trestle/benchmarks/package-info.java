/**
 * What the server costs: {@link dev.trestle.benchmarks.FirstFigures} runs the same workloads against Trestle and against
 * {@link dev.trestle.benchmarks.BareLoop}, the least that HTTP and RocksDB together can cost, and prints both.
 */
@NullMarked
package dev.trestle.benchmarks;

import org.jspecify.annotations.NullMarked;
