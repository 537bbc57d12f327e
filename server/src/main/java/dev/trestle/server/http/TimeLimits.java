package dev.trestle.server.http;

import java.time.Duration;
import java.util.stream.Stream;

/**
 * Time limits of connections and requests.
 *
 * @param body for a collected body to arrive, and for a streamed body to make progress
 * @param request for a request to be processed after it has arrived, unless the client sets a shorter timeout
 * @param response for a client to read some of a large response
 * @param idle for a connection without requests
 * @param drain for requests in flight to finish when the server stops
 */
public record TimeLimits(Duration body, Duration request, Duration response, Duration idle, Duration drain) {
    public static final TimeLimits DEFAULT = new TimeLimits(
            HttpLimits.BODY_TIME_MAX,
            HttpLimits.REQUEST_TIME_MAX,
            HttpLimits.RESPONSE_TIME_MAX,
            HttpLimits.IDLE_TIME_MAX,
            HttpLimits.DRAIN_TIME_MAX);

    public TimeLimits {
        if (Stream.of(body, request, response, idle, drain).anyMatch(limit -> limit.toSeconds() < 1)) {
            throw new IllegalArgumentException("time limits are at least a second");
        }
    }
}
