/**
 * The Queue service over HTTP: {@link dev.trestle.server.queue.QueueOperations} declares its operations, the handlers serve them.
 */
@NullMarked
package dev.trestle.server.queue;

import org.jspecify.annotations.NullMarked;
