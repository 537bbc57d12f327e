/**
 * I/O transports: {@link dev.trestle.server.sockets.SocketTransport} chooses among those that the system supports.
 * The package does not know HTTP.
 */
@NullMarked
package dev.trestle.server.sockets;

import org.jspecify.annotations.NullMarked;
