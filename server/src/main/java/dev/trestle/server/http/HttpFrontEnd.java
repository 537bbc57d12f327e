package dev.trestle.server.http;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.QueryParameters;
import dev.trestle.server.http.ConnectionLimiter.Slot;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One event loop's share of the connections: takes requests off the socket and makes an {@link Exchange} of each, which
 * waits for its body, within the limits, unless the service takes bodies as they come. All its state belongs to that
 * loop, which never blocks. Once a second it looks for requests past their time and for connections that bring none.
 */
public final class HttpFrontEnd {
    private static final long TICK_MILLIS = 1000;

    private final Vertx vertx;
    private final ErrorRenderer errors;
    private final Accounts accounts;
    private final RequestIds ids;
    private final InFlightRequests underWay;
    private final RequestPipeline pipeline;
    private final ServerLoad load;
    private final Map<HttpConnection, ConnectionState> peers = new HashMap<>();

    HttpFrontEnd(Vertx vertx, ErrorRenderer errors, Accounts accounts, RequestIds ids, InFlightRequests underWay) {
        this.vertx = vertx;
        this.errors = errors;
        this.accounts = accounts;
        this.ids = ids;
        this.underWay = underWay;
        this.pipeline = underWay.pipeline;
        this.load = underWay.load;
        vertx.setPeriodic(TICK_MILLIS, tick -> lookAround());
    }

    /** A client has connected. */
    public void connect(HttpConnection connection) {
        RemoteNetwork network = RemoteNetwork.of(RemoteEndpoint.of(connection).address());
        Optional<Slot> slot = load.limiter().enter(network, connection::close);
        if (slot.isEmpty()) {
            connection.close();
            return;
        }
        ConnectionState peer = new ConnectionState(connection, load, slot.get());
        peers.put(connection, peer);
        connection.closeHandler(closed -> {
            peers.remove(connection);
            peer.leave();
        });
        if (pipeline.streamsBodies()) {
            ReadAhead.limit(connection);
        }
        HalfClose.watch(connection, () -> peer.endInput(connection));
    }

    private void lookAround() {
        long now = System.nanoTime();
        underWay.lookAround(now);
        peers.forEach((connection, peer) -> peer.lookAround(connection, now, underWay.times));
    }

    /** What is not even HTTP gets an answer too, and then the connection ends. */
    public void refuseMalformed(HttpServerRequest http) {
        ConnectionState peer = peers.get(http.connection());
        if (peer == null) {
            http.connection().close();
            return;
        }
        peer.decodeFailures.handle();
        refuseLast(http);
    }

    private void refuseLast(HttpServerRequest http) {
        Throwable cause = http.decoderResult().cause();
        boolean longLine = cause instanceof TooLongHttpLineException;
        boolean longHeader = cause instanceof TooLongHttpHeaderException;
        StorageError error = longLine
                ? StorageError.REQUEST_URL_FAILED_TO_PARSE
                : longHeader ? StorageError.INVALID_HEADER_VALUE : StorageError.INVALID_INPUT;
        refuseEarly(http, longLine ? 414 : longHeader ? 431 : 400, ids.next(), new StorageException(error), true);
        Exchange.closeLater(vertx, http.connection());
    }

    public void handle(HttpServerRequest http) {
        ConnectionState peer = peers.get(http.connection());
        if (peer == null) {
            // The connection was refused.
            http.connection().close();
            return;
        }
        boolean broken = peer.decodeFailures.handle();
        if (peer.refused) {
            return;
        }
        if (broken || !HeaderValidator.isPlain(http)) {
            // What comes behind such a head may be meant to look like a request of somebody else.
            peer.refused = true;
            refuseLast(http);
            return;
        }
        String id = ids.next();
        Context context = vertx.getOrCreateContext();
        long head = peer.heads.handOver();
        Request request;
        try {
            request = new Request(
                    pipeline.service(),
                    id,
                    http,
                    peer.client,
                    Request.address(http, peer.client.tls(), accounts),
                    task -> context.runOnContext(hop -> task.run()));
        } catch (StorageException e) {
            load.release(head);
            peer.heads.body(http);
            ArrivingBody.discard(http);
            refuseEarly(http, e.error().status(), id, e, false);
            return;
        }
        if (!peer.begin()) {
            load.release(head);
            http.connection().close();
            return;
        }
        Exchange exchange = new Exchange(http, request, context, peer, underWay);
        if (http.version() != HttpVersion.HTTP_2) {
            peer.exchange = exchange;
        }
        if (!exchange.hold(head)) {
            exchange.refuse(StorageError.SERVER_BUSY);
            return;
        }
        if (pipeline.streamsBodies()) {
            exchange.answerOnHead();
            return;
        }
        String declared = http.getHeader(HeaderNames.of("Content-Length"));
        boolean chunked = http.getHeader(HeaderNames.of("Transfer-Encoding")) != null;
        if (!chunked && (declared == null || declared.equals("0"))) {
            exchange.answer();
            return;
        }
        peer.heads.body(http);
        long expected = declared == null ? 0 : parseLength(declared);
        if (expected > Limits.BODY_BYTES_MAX) {
            exchange.refuse(StorageError.REQUEST_BODY_TOO_LARGE);
            return;
        }
        exchange.awaitBody((int) expected);
    }

    /** Answers what cannot be called a request, and tells of it all the same. */
    private void refuseEarly(HttpServerRequest http, int status, String id, StorageException refusal, boolean last) {
        Response response = errors.renderEarly(pipeline.service(), status, id, refusal);
        underWay.writer.write(http, last ? response.header("Connection", "close") : response);
        underWay.observer.finished(new RequestSummary(
                id,
                Optional.ofNullable(http.getHeader("x-ms-client-request-id")),
                http.remoteAddress() == null ? "" : http.remoteAddress().hostAddress(),
                "",
                pipeline.service(),
                OperationName.UNKNOWN,
                Optional.empty(),
                QueryParameters.NONE,
                status,
                Optional.of(refusal.error()),
                0,
                0,
                response.bodyLength(),
                Optional.empty(),
                0,
                0,
                RequestDetails.NONE));
    }

    private static long parseLength(String declared) {
        try {
            return Long.parseLong(declared);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}
