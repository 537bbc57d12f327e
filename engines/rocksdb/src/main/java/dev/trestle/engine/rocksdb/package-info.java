/**
 * The embedded engine: rows in one RocksDB column family, on disk or in memory. The entry type is
 * {@link dev.trestle.engine.rocksdb.RocksEngine}. Nothing here knows what a collection stands for.
 */
@NullMarked
package dev.trestle.engine.rocksdb;

import org.jspecify.annotations.NullMarked;
