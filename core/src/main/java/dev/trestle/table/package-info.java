/**
 * The Table service, independent of its protocol. {@link dev.trestle.table.TableService} is the entry type: it
 * resolves names, checks limits, plans queries and commits transactions. Must not know HTTP, JSON or a particular
 * engine.
 */
@NullMarked
package dev.trestle.table;

import org.jspecify.annotations.NullMarked;
