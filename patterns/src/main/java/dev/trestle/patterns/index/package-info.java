/**
 * Finding entities by something else than their keys: copies of them under other keys, and lists of their keys.
 * {@link dev.trestle.patterns.index.IntraPartitionIndex} keeps everything in one partition and always right; what is kept
 * elsewhere follows through {@link dev.trestle.patterns.outbox.FollowedTable}.
 */
@NullMarked
package dev.trestle.patterns.index;

import org.jspecify.annotations.NullMarked;
