/**
 * The server: {@link dev.trestle.server.TrestleServer} creates and connects the services, the pipeline and the
 * transport.
 */
@NullMarked
package dev.trestle.server;

import org.jspecify.annotations.NullMarked;
