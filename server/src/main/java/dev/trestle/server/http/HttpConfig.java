package dev.trestle.server.http;

import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.admission.ServerLoad;

/**
 * What all clients together may ask of the server.
 *
 * @param connectionsMax open connections; one more evicts the one idle longest, or is closed at once if none is idle
 * @param connectionsPerAddressMax those from one remote address, likewise; addresses of IPv6 count by their first 64 bits
 * @param bufferedBytesMax requests held in memory until they are served; beyond it they are told to come back
 * @param answerBytesMax large answers held in memory until they are taken; beyond it large reads are told to come back
 * @param requestLineBytesMax the line of one request
 * @param headersBytesMax the headers of one request
 */
public record HttpConfig(
        int connectionsMax,
        int connectionsPerAddressMax,
        long bufferedBytesMax,
        long answerBytesMax,
        int requestLineBytesMax,
        int headersBytesMax,
        TimeLimits times,
        RateLimits rateLimits) {
    public static final HttpConfig DEFAULT =
            new HttpConfig(HttpLimits.CONNECTIONS_MAX, HttpLimits.BUFFERED_BYTES_MAX, RateLimits.NONE);

    public HttpConfig {
        if (connectionsMax < 1
                || connectionsPerAddressMax < 1
                || bufferedBytesMax < 1
                || answerBytesMax < 1
                || requestLineBytesMax < 1
                || headersBytesMax < 1) {
            throw new IllegalArgumentException("limits of connections and memory are at least 1");
        }
    }

    /** With the other limits at their defaults. */
    public HttpConfig(int connectionsMax, long bufferedBytesMax, RateLimits rateLimits) {
        this(
                connectionsMax,
                HttpLimits.connectionsPerAddressMax(connectionsMax),
                bufferedBytesMax,
                HttpLimits.ANSWER_BYTES_MAX,
                HttpLimits.REQUEST_LINE_BYTES_MAX,
                HttpLimits.HEADERS_BYTES_MAX,
                TimeLimits.DEFAULT,
                rateLimits);
    }

    /** The limits of what all clients together hold. */
    public ServerLoad.Limit loadLimit() {
        return new ServerLoad.Limit(connectionsMax, connectionsPerAddressMax, bufferedBytesMax, answerBytesMax);
    }

    public HttpConfig withConnectionsPerAddressMax(int changed) {
        return new HttpConfig(
                connectionsMax,
                changed,
                bufferedBytesMax,
                answerBytesMax,
                requestLineBytesMax,
                headersBytesMax,
                times,
                rateLimits);
    }

    public HttpConfig withAnswerBytesMax(long changed) {
        return new HttpConfig(
                connectionsMax,
                connectionsPerAddressMax,
                bufferedBytesMax,
                changed,
                requestLineBytesMax,
                headersBytesMax,
                times,
                rateLimits);
    }

    public HttpConfig withTimes(TimeLimits changed) {
        return new HttpConfig(
                connectionsMax,
                connectionsPerAddressMax,
                bufferedBytesMax,
                answerBytesMax,
                requestLineBytesMax,
                headersBytesMax,
                changed,
                rateLimits);
    }
}
