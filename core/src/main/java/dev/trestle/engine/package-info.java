/**
 * The storage SPI: {@link dev.trestle.engine.Engine} for rows and {@link dev.trestle.engine.ContentStore} for
 * contents too large for rows. A {@link dev.trestle.engine.StorageProvider} opens both from a
 * {@link dev.trestle.engine.StorageConfig}. Rows are ordered by {@link dev.trestle.keyspace.Key}, and a commit is
 * atomic within one partition. An engine knows nothing of tables, queues or blobs. {@code docs/engine.md}
 * describes how to write one.
 */
@NullMarked
package dev.trestle.engine;

import org.jspecify.annotations.NullMarked;
