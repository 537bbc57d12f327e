/**
 * Eventually consistent work across partitions, tables and services, which survives crashes of writers and workers.
 * {@link dev.trestle.patterns.outbox.EventualTransaction} is the guide's queue and worker;
 * {@link dev.trestle.patterns.outbox.FollowedTable} is a transactional outbox that keeps derived data in step with a table.
 */
@NullMarked
package dev.trestle.patterns.outbox;

import org.jspecify.annotations.NullMarked;
