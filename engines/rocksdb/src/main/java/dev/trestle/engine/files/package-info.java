/**
 * The content store of the embedded engine: local files in its data folder. The entry type is
 * {@link dev.trestle.engine.files.LocalContentStore}. It is independent of RocksDB.
 */
@NullMarked
package dev.trestle.engine.files;

import org.jspecify.annotations.NullMarked;
