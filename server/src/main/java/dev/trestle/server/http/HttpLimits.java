package dev.trestle.server.http;

import java.time.Duration;

/** What a connection may ask of the server before a request is even understood, unless configured otherwise. */
public final class HttpLimits {
    /** The request line. Clients put whole filters and signatures into it. */
    public static final int REQUEST_LINE_BYTES_MAX = 256 * 1024;

    /** Line ends and other blanks before a request line. Some clients end a body with a line too many. */
    public static final int BLANK_BYTES_MAX = 256;

    /** All headers of a request together. */
    public static final int HEADERS_BYTES_MAX = 64 * 1024;

    /** All headers of a request over HTTP/2 together, where the address is one of them. */
    public static final int HTTP2_HEADERS_BYTES_MAX = 8 * 1024;

    /** Requests under way on one connection of HTTP/2. */
    public static final int HTTP2_STREAMS_MAX = 100;

    /** How many requests of a connection of HTTP/2 may be called off within half a minute. */
    public static final int HTTP2_RESETS_MAX = 200;

    /** How many small pieces a head may come in over HTTP/2. */
    public static final int HTTP2_SMALL_CONTINUATIONS_MAX = 16;

    /** How much of a body that nobody wants is read and thrown away, so that its sender reads the answer. */
    public static final long DISCARDED_BYTES_MAX = 64L << 20;

    /** Requests held in memory for all connections together: heads and bodies that arrive, bodies being served. */
    public static final long BUFFERED_BYTES_MAX = 64L << 20;

    /** Open connections. */
    public static final int CONNECTIONS_MAX = 10_000;

    /** The part of the connections, one in so many, that no single remote address can take. */
    private static final int RESERVED_FROM_ONE_ADDRESS = 10;

    /** Answers held in memory until their clients have taken them, all together; as it fills, pages get smaller. */
    public static final long ANSWER_BYTES_MAX = 64L << 20;

    /** How long a client may take nothing of a large answer. */
    public static final Duration ANSWER_TIME_MAX = Duration.ofMinutes(2);

    /** How long a body may take to arrive, or where it is taken as it comes, to make no progress. */
    public static final Duration BODY_TIME_MAX = Duration.ofSeconds(30);

    /** How long a request may take once it has come, unless its client asks for less. */
    public static final Duration REQUEST_TIME_MAX = Duration.ofSeconds(30);

    /** How long a connection may bring no request. */
    public static final Duration IDLE_TIME_MAX = Duration.ofMinutes(2);

    /** How long requests under way may take to finish when the server stops. */
    public static final Duration DRAIN_TIME_MAX = Duration.ofSeconds(20);

    private HttpLimits() {}

    /** Open connections from one remote address: all but a reserve, so that a proxy in front can have nearly all. */
    public static int connectionsPerAddressMax(int connectionsMax) {
        return connectionsMax - connectionsMax / RESERVED_FROM_ONE_ADDRESS;
    }
}
