package dev.trestle.server.http;

import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.admission.ServerLoad;

/**
 * Limits on connections, memory, time and rate of all clients together.
 *
 * @param connectionsMax open connections; one more evicts the longest idle one, or is closed at once if none is
 *     idle
 * @param connectionsPerAddressMax open connections from one remote address, likewise; IPv6 addresses count by /64
 *     prefix
 * @param bufferedBytesMax memory for requests; beyond it, requests get 503
 * @param responseBytesMax memory for large responses until clients have read them; beyond it, large reads get 503
 * @param requestLineBytesMax the request line of one request
 * @param headersBytesMax the headers of one request
 */
public record HttpConfig(
        int connectionsMax,
        int connectionsPerAddressMax,
        long bufferedBytesMax,
        long responseBytesMax,
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
                || responseBytesMax < 1
                || requestLineBytesMax < 1
                || headersBytesMax < 1) {
            throw new IllegalArgumentException("limits on connections and memory are at least 1");
        }
    }

    /** Creates limits with defaults for all others. */
    public HttpConfig(int connectionsMax, long bufferedBytesMax, RateLimits rateLimits) {
        this(
                connectionsMax,
                HttpLimits.connectionsPerAddressMax(connectionsMax),
                bufferedBytesMax,
                HttpLimits.RESPONSE_BYTES_MAX,
                HttpLimits.REQUEST_LINE_BYTES_MAX,
                HttpLimits.HEADERS_BYTES_MAX,
                TimeLimits.DEFAULT,
                rateLimits);
    }

    /** Returns the limits on connections and memory. */
    public ServerLoad.Limit loadLimit() {
        return new ServerLoad.Limit(connectionsMax, connectionsPerAddressMax, bufferedBytesMax, responseBytesMax);
    }

    public HttpConfig withConnectionsPerAddressMax(int changed) {
        return new HttpConfig(
                connectionsMax,
                changed,
                bufferedBytesMax,
                responseBytesMax,
                requestLineBytesMax,
                headersBytesMax,
                times,
                rateLimits);
    }

    public HttpConfig withResponseBytesMax(long changed) {
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
                responseBytesMax,
                requestLineBytesMax,
                headersBytesMax,
                changed,
                rateLimits);
    }
}
