/**
 * The distributed engine: rows of Trestle as rows of one HBase table, a column for each property. The entry type is
 * {@link dev.trestle.engine.hbase.HBaseEngine}, found through {@link dev.trestle.engine.hbase.HBaseStorageProvider}. A
 * region of that table holds whole partitions, so that a commit finds all its rows in one place; see
 * {@link dev.trestle.engine.hbase.Schema}. Nothing here knows what a collection stands for.
 */
@NullMarked
package dev.trestle.engine.hbase;

import org.jspecify.annotations.NullMarked;
