/**
 * Storage Analytics: what clients asked of a service, written by the service itself into blobs of {@code $logs} and into
 * tables named {@code $Metrics...}, for those who switched that on. Entry type: {@link
 * dev.trestle.server.analytics.Analytics}. It is told of finished requests and knows nothing of sockets.
 */
@NullMarked
package dev.trestle.server.analytics;

import org.jspecify.annotations.NullMarked;
