/**
 * How the server gets at its sockets: {@link dev.trestle.server.sockets.SocketTransport} chooses among the ways that the
 * system has. Nothing here knows HTTP.
 */
@NullMarked
package dev.trestle.server.sockets;

import org.jspecify.annotations.NullMarked;
