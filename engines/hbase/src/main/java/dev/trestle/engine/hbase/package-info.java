/**
 * The distributed engine: rows in one HBase table, with a column for each property. The entry type is
 * {@link dev.trestle.engine.hbase.HBaseEngine}; products open it through
 * {@link dev.trestle.engine.hbase.HBaseStorageProvider}. A region contains whole partitions, so that all rows of a
 * commit are in one region; see {@link dev.trestle.engine.hbase.Schema}.
 */
@NullMarked
package dev.trestle.engine.hbase;

import org.jspecify.annotations.NullMarked;
