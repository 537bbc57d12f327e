/**
 * The Queue service over HTTP: {@link dev.trestle.server.queue.QueueOperations} declares its operations, and the
 * handlers execute them.
 */
@NullMarked
package dev.trestle.server.queue;

import org.jspecify.annotations.NullMarked;
