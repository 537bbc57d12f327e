/**
 * The Queue service, independent of its protocol. {@link dev.trestle.queue.QueueService} is the entry type. A
 * queue is one partition of the engine, whose rows sort by the visibility times of their messages. Must not know
 * HTTP, XML or a particular engine.
 */
@NullMarked
package dev.trestle.queue;

import org.jspecify.annotations.NullMarked;
