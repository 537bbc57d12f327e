/**
 * The Queue service: what an operation on queues and messages means, whatever the protocol it came by.
 * {@link dev.trestle.queue.QueueService} is the entry. A queue is one partition of the engine, whose rows sort by when
 * they become visible.
 */
@NullMarked
package dev.trestle.queue;

import org.jspecify.annotations.NullMarked;
