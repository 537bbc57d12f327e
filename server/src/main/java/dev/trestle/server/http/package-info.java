/**
 * The transport: sockets, connections, bodies in and out, and the writing of responses. {@link
 * dev.trestle.server.http.HttpFrontEnd} takes requests off the sockets of one event loop and hands each to the {@link
 * dev.trestle.server.pipeline.RequestPipeline} of its service. Knows no service in particular.
 */
@NullMarked
package dev.trestle.server.http;

import org.jspecify.annotations.NullMarked;
