/**
 * The binary format of keys and rows for all engines. {@link dev.trestle.keyspace.Key} encodes keys so that their
 * order is kept, {@link dev.trestle.keyspace.RowBuilder} encodes rows, and {@link dev.trestle.keyspace.RowReader}
 * reads a property without decoding the others. {@code docs/format.md} describes the format. Must not do input or
 * output.
 */
@NullMarked
package dev.trestle.keyspace;

import org.jspecify.annotations.NullMarked;
