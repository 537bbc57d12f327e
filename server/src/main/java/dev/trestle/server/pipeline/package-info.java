/**
 * The way of a request from its head to its response, the same for all services: {@link
 * dev.trestle.server.pipeline.RequestPipeline} lists the steps in order. An {@link dev.trestle.server.pipeline.Operation} is one
 * thing a request can ask for; each service declares its operations in a table. Knows neither sockets nor a service.
 */
@NullMarked
package dev.trestle.server.pipeline;

import org.jspecify.annotations.NullMarked;
