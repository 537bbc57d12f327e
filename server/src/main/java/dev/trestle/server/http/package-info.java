/**
 * The HTTP transport: connections, bodies, and the writing of responses.
 * {@link dev.trestle.server.http.HttpFrontEnd} receives the requests of one event loop and passes each to the
 * {@link dev.trestle.server.pipeline.RequestPipeline} of its service. The package knows no service in particular.
 */
@NullMarked
package dev.trestle.server.http;

import org.jspecify.annotations.NullMarked;
