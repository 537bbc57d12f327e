package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.admission.ConnectionLimiter.Slot;
import dev.trestle.server.admission.RemoteNetwork;
import dev.trestle.server.pipeline.HeaderNames;
import dev.trestle.server.pipeline.RemoteEndpoint;
import dev.trestle.server.pipeline.RequestAddress;
import dev.trestle.server.pipeline.RequestSummary;
import dev.trestle.server.pipeline.Response;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The HTTP server of one event loop: it accepts connections and starts an {@link Exchange} for each request. Once
 * per second it ends requests and connections that exceed a time limit. Belongs to that event loop, which never
 * blocks.
 */
public final class HttpFrontEnd {
    static final CharSequence CONTENT_LENGTH = HeaderNames.of("Content-Length");
    static final CharSequence TRANSFER_ENCODING = HeaderNames.of("Transfer-Encoding");

    private static final long TICK_MILLIS = 1000;

    private final TransportContext context;
    private final InFlightRequests inFlight = new InFlightRequests();
    private final Map<HttpConnection, ConnectionState> connections = new HashMap<>();

    HttpFrontEnd(TransportContext context) {
        this.context = context;
        context.vertx().setPeriodic(TICK_MILLIS, tick -> expire());
    }

    /** Accepts a new connection, or closes it at a connection limit. */
    public void connect(HttpConnection connection) {
        RemoteNetwork network = RemoteNetwork.of(RemoteEndpoint.of(connection).address());
        Optional<Slot> slot = context.load().connectionLimiter().enter(network, connection::close);
        if (slot.isEmpty()) {
            connection.close();
            return;
        }
        ConnectionState state = new ConnectionState(connection, context, slot.get());
        connections.put(connection, state);
        connection.closeHandler(closed -> {
            connections.remove(connection);
            state.closed();
        });
    }

    /** Ends the requests and connections whose time is over. */
    void expire() {
        long now = context.now();
        inFlight.expire(now);
        connections.values().forEach(connection -> connection.expire(now));
    }

    /** Responds to a message that is not valid HTTP, then closes the connection. */
    public void refuseMalformed(HttpServerRequest http) {
        ConnectionState connection = connections.get(http.connection());
        if (connection == null) {
            http.connection().close();
            return;
        }
        connection.countDecoded();
        refuseLast(http);
    }

    private void refuseLast(HttpServerRequest http) {
        Throwable cause = http.decoderResult().cause();
        boolean longLine = cause instanceof TooLongHttpLineException;
        boolean longHeader = cause instanceof TooLongHttpHeaderException;
        StorageError error = longLine
                ? StorageError.REQUEST_URL_FAILED_TO_PARSE
                : longHeader ? StorageError.INVALID_HEADER_VALUE : StorageError.INVALID_INPUT;
        int status = longLine ? 414 : longHeader ? 431 : 400;
        refuseUnreadable(http, status, context.ids().next(), new StorageException(error), true);
        Exchange.closeLater(context.vertx(), http.connection());
    }

    /** Starts the exchange of a request whose head has arrived. */
    public void handle(HttpServerRequest http) {
        ConnectionState connection = connections.get(http.connection());
        if (connection == null) {
            // The connection was refused.
            http.connection().close();
            return;
        }
        boolean broken = connection.countDecoded();
        if (connection.isRefused()) {
            return;
        }
        if (broken || !HeaderValidator.isPlain(http)) {
            // Bytes after such a head may be a smuggled request.
            connection.refuse();
            refuseLast(http);
            return;
        }
        long headerBytes = connection.headers().handOver();
        String id = context.ids().next();
        RequestAddress address;
        try {
            address = address(http, connection.remote().tls());
        } catch (StorageException e) {
            context.load().release(headerBytes);
            connection.headers().body(http);
            IncomingBody.discard(http);
            refuseUnreadable(http, e.error().status(), id, e, false);
            return;
        }
        if (!connection.begin()) {
            context.load().release(headerBytes);
            http.connection().close();
            return;
        }
        new Exchange(http, id, address, context.vertx().getOrCreateContext(), connection, context, inFlight)
                .start(headerBytes);
    }

    private RequestAddress address(HttpServerRequest http, boolean tls) {
        String host = http.getHeader(HeaderNames.of("Host"));
        if (host == null && http.authority() != null) {
            // HTTP/2 has a pseudo-header instead.
            host = http.authority().toString();
        }
        return RequestAddress.parse(http.uri(), host, tls, context.accounts());
    }

    /** Responds to a message that cannot be parsed as a request, and reports it to the observer. */
    private void refuseUnreadable(
            HttpServerRequest http, int status, String id, StorageException refusal, boolean last) {
        Response response = context.errors().renderUnreadable(status, id, refusal);
        if (last) {
            response.header("Connection", "close");
        }
        BodySender sender = new BodySender(
                http.response(),
                response.body(),
                context.vertx().getOrCreateContext(),
                context.load(),
                () -> {},
                failure -> {});
        context.writer().write(http, response, sender);
        context.observer()
                .finished(RequestSummary.ofUnreadable(
                        id,
                        Optional.ofNullable(http.getHeader("x-ms-client-request-id")),
                        http.remoteAddress() == null ? "" : http.remoteAddress().hostAddress(),
                        context.pipeline().service(),
                        status,
                        refusal.error(),
                        response.buffered().length()));
    }
}
