/**
 * The embedded engine: rows in one RocksDB column family, on disk or in memory. The entry type is
 * {@link dev.trestle.engine.rocksdb.RocksEngine}. Products open it through
 * {@link dev.trestle.engine.rocksdb.RocksStorageProvider}.
 */
@NullMarked
package dev.trestle.engine.rocksdb;

import org.jspecify.annotations.NullMarked;
