/**
 * Work across partitions, tables and services that is done in the end, whatever stops on the way.
 * {@link dev.trestle.patterns.outbox.EventualTransaction} is the guide's queue and worker;
 * {@link dev.trestle.patterns.outbox.FollowedTable} keeps elsewhere what follows from the entities of a table.
 */
@NullMarked
package dev.trestle.patterns.outbox;

import org.jspecify.annotations.NullMarked;
