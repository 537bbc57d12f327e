/**
 * What the Table service means: {@link dev.trestle.table.TableService} resolves names, checks limits, plans queries and
 * commits transactions. It never sees HTTP, JSON or an engine's kind.
 */
@NullMarked
package dev.trestle.table;

import org.jspecify.annotations.NullMarked;
