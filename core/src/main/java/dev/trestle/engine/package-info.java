/**
 * The narrow waist: what every storage engine promises to the services above it, in
 * {@link dev.trestle.engine.Engine} and, for what is too large for rows, {@link dev.trestle.engine.ContentStore}. Rows
 * are ordered by {@link dev.trestle.keyspace.Key}, a commit is atomic within one partition, and an engine knows nothing of tables,
 * queues or blobs. {@code docs/engine.md} says how to write one.
 */
@NullMarked
package dev.trestle.engine;

import org.jspecify.annotations.NullMarked;
