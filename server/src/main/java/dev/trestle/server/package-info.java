/**
 * The server: {@link dev.trestle.server.TrestleServer} wires the services, the pipeline and the sockets together, in
 * plain Java.
 */
@NullMarked
package dev.trestle.server;

import org.jspecify.annotations.NullMarked;
