/**
 * Control flow over completion stages, for all services: {@link dev.trestle.async.OptimisticRetry} repeats updates
 * that lose to other writers, {@link dev.trestle.async.AsyncLoop} repeats a step, and
 * {@link dev.trestle.async.KeyedSerialExecutor} serializes work by key. Knows nothing of rows, tables, queues or
 * blobs.
 */
@NullMarked
package dev.trestle.async;

import org.jspecify.annotations.NullMarked;
