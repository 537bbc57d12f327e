/**
 * Sockets and requests: {@link dev.trestle.server.http.HttpFrontEnd} listens,
 * {@link dev.trestle.server.http.RequestPipeline} lists every step a request passes, the routes turn it into calls of a
 * service. Nothing here sees an engine.
 */
@NullMarked
package dev.trestle.server.http;

import org.jspecify.annotations.NullMarked;
