/**
 * The contents of the embedded engine: plain files beside its rows. The entry type is
 * {@link dev.trestle.engine.files.LocalContentStore}. Nothing here knows of RocksDB, nor what a collection stands for.
 */
@NullMarked
package dev.trestle.engine.files;

import org.jspecify.annotations.NullMarked;
