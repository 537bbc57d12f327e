/**
 * Typed tables on top of the official Azure SDK: point reads, queries, writes, transactions and bulk writes, blocking and
 * reactive. Start with {@link dev.trestle.patterns.EntityTable} or {@link dev.trestle.patterns.AsyncEntityTable}. Works the same
 * on every Table service and depends on no server.
 */
@NullMarked
package dev.trestle.patterns;

import org.jspecify.annotations.NullMarked;
