/**
 * Secondary indexes: copies of entities under other keys, and index entities that list keys. Indexes within a partition, such as
 * {@link dev.trestle.patterns.index.IntraPartitionIndex}, are strongly consistent; all others are eventually consistent and are
 * updated by {@link dev.trestle.patterns.outbox.FollowedTable}.
 */
@NullMarked
package dev.trestle.patterns.index;

import org.jspecify.annotations.NullMarked;
