package dev.trestle.server.http;

import dev.trestle.server.throttle.RateLimits;

/**
 * What all clients together may ask of the server.
 *
 * @param connectionsMax open connections; one more is closed at once
 * @param bufferedBytesMax bodies held in memory while they arrive; beyond it requests are told to come back
 */
public record HttpConfig(int connectionsMax, long bufferedBytesMax, RateLimits rateLimits) {
    public static final HttpConfig DEFAULT =
            new HttpConfig(HttpLimits.CONNECTIONS_MAX, HttpLimits.BUFFERED_BYTES_MAX, RateLimits.NONE);

    public HttpConfig {
        if (connectionsMax < 1 || bufferedBytesMax < 1) {
            throw new IllegalArgumentException("limits of connections and bodies are at least 1");
        }
    }
}
