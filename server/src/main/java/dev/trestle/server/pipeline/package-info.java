/**
 * The processing of a request from its head to its response, the same for all services:
 * {@link dev.trestle.server.pipeline.RequestPipeline} lists the steps in order. Each service declares its
 * {@link dev.trestle.server.pipeline.Operation}s in an {@link dev.trestle.server.pipeline.OperationTable}. The
 * package knows neither sockets nor a service.
 */
@NullMarked
package dev.trestle.server.pipeline;

import org.jspecify.annotations.NullMarked;
