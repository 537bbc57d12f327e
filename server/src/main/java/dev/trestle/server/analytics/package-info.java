/**
 * Storage Analytics: logs in {@code $logs} and metrics in {@code $Metrics...} tables about the requests of an
 * account, written if the service properties enable them. Entry type:
 * {@link dev.trestle.server.analytics.Analytics}. The package observes finished requests and knows nothing of
 * sockets.
 */
@NullMarked
package dev.trestle.server.analytics;

import org.jspecify.annotations.NullMarked;
