package dev.trestle.server.http;

import java.time.Duration;
import java.util.stream.Stream;

/**
 * How long things may take.
 *
 * @param body for a body to arrive; where it is taken as it comes, for its client to send nothing of it
 * @param request for a request to be answered once it has come, unless its client asks for less
 * @param answer for a client to take nothing of a large answer
 * @param idle for a connection to bring no request
 * @param drain for requests under way to finish when the server stops
 */
public record TimeLimits(Duration body, Duration request, Duration answer, Duration idle, Duration drain) {
    public static final TimeLimits DEFAULT = new TimeLimits(
            HttpLimits.BODY_TIME_MAX,
            HttpLimits.REQUEST_TIME_MAX,
            HttpLimits.ANSWER_TIME_MAX,
            HttpLimits.IDLE_TIME_MAX,
            HttpLimits.DRAIN_TIME_MAX);

    public TimeLimits {
        if (Stream.of(body, request, answer, idle, drain).anyMatch(limit -> limit.toSeconds() < 1)) {
            throw new IllegalArgumentException("limits of time are at least a second");
        }
    }
}
