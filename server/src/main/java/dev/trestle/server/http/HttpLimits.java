package dev.trestle.server.http;

import java.time.Duration;

/** The default limits on connections, HTTP messages, memory and time. */
public final class HttpLimits {
    /** The request line, which holds filters and signatures. */
    public static final int REQUEST_LINE_BYTES_MAX = 256 * 1024;

    /** Line ends and other white space before a request line; some clients send a line end after a body. */
    public static final int BLANK_BYTES_MAX = 256;

    /** The headers of a request. */
    public static final int HEADERS_BYTES_MAX = 64 * 1024;

    /** The headers of an HTTP/2 request, including the pseudo-header with the URL. */
    public static final int HTTP2_HEADERS_BYTES_MAX = 8 * 1024;

    /** Concurrent requests on an HTTP/2 connection. */
    public static final int HTTP2_STREAMS_MAX = 100;

    /** Requests that an HTTP/2 client may cancel on a connection within 30 seconds. */
    public static final int HTTP2_RESETS_MAX = 200;

    /** Small CONTINUATION frames in the headers of an HTTP/2 request. */
    public static final int HTTP2_SMALL_CONTINUATIONS_MAX = 16;

    /** Bytes of a rejected body that are read and discarded, so that the client reads the response. */
    public static final long DISCARDED_BYTES_MAX = 64L << 20;

    /** Memory for requests of all connections: headers and bodies that arrive or are being processed. */
    public static final long BUFFERED_BYTES_MAX = 64L << 20;

    /** Open connections. */
    public static final int CONNECTIONS_MAX = 10_000;

    /** The fraction of the connections, as a divisor, that no single remote address can use. */
    private static final int RESERVED_FROM_ONE_ADDRESS = 10;

    /** Memory for large responses until their clients have read them. As it fills, pages become smaller. */
    public static final long RESPONSE_BYTES_MAX = 64L << 20;

    /** The time after which a connection is closed if its client reads none of a large response. */
    public static final Duration RESPONSE_TIME_MAX = Duration.ofMinutes(2);

    /** The time in which a collected body has to arrive, or in which a streamed body has to make progress. */
    public static final Duration BODY_TIME_MAX = Duration.ofSeconds(30);

    /** The time to process a request after it has arrived, unless the client sets a shorter timeout. */
    public static final Duration REQUEST_TIME_MAX = Duration.ofSeconds(30);

    /** The time after which an idle connection is closed. */
    public static final Duration IDLE_TIME_MAX = Duration.ofMinutes(2);

    /** The time for requests in flight to finish when the server stops. */
    public static final Duration DRAIN_TIME_MAX = Duration.ofSeconds(20);

    private HttpLimits() {}

    /** Returns the limit per remote address: all connections but a reserve, so that a proxy can use nearly all. */
    public static int connectionsPerAddressMax(int connectionsMax) {
        return connectionsMax - connectionsMax / RESERVED_FROM_ONE_ADDRESS;
    }
}
