/**
 * How keys and rows are laid out in bytes, once for all engines: {@link dev.trestle.keyspace.Key} preserves order,
 * {@link dev.trestle.keyspace.RowReader} finds a property without decoding the others. {@code docs/format.md} describes
 * the bytes. Nothing here does input or output.
 */
@NullMarked
package dev.trestle.keyspace;

import org.jspecify.annotations.NullMarked;
