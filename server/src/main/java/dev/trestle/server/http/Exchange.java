package dev.trestle.server.http;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestAddress;
import dev.trestle.server.pipeline.RequestObserver;
import dev.trestle.server.pipeline.RequestSummary;
import dev.trestle.server.pipeline.RequestTimeout;
import dev.trestle.server.pipeline.Response;
import dev.trestle.server.sockets.SendProgress;
import dev.trestle.server.sockets.VertxInternals;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request and its one response, from the head to the last byte on the socket. Belongs to an event loop. */
final class Exchange implements IncomingBody.Watcher {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private static final long LINGER_MILLIS = 2000;

    private final HttpServerRequest http;
    private final Request request;
    private final Context context;
    private final ConnectionState connection;
    private final TransportContext transport;
    private final InFlightRequests inFlight;
    private final ServerLoad load;
    private final IncomingBody body;
    private final RequestMemory headers;
    private final long startNanos;
    private final long timeNanos;
    private long deadlineNanos;
    private long bytesIn;
    private boolean waitsForClient;
    private boolean responded;
    private @Nullable Response response;
    private long respondedNanos;
    private @Nullable SendProgress file;

    /** @param connection has begun a request for this */
    Exchange(
            HttpServerRequest http,
            String id,
            RequestAddress address,
            Context context,
            ConnectionState connection,
            TransportContext transport,
            InFlightRequests inFlight) {
        this.http = http;
        this.context = context;
        this.connection = connection;
        this.transport = transport;
        this.inFlight = inFlight;
        this.load = transport.load();
        this.body = new IncomingBody(http, context, transport, this);
        this.request = new Request(
                transport.pipeline().service(),
                id,
                http.method().name(),
                http.uri(),
                address,
                http.headers(),
                connection.remote(),
                task -> context.runOnContext(hop -> task.run()),
                body);
        this.headers = new RequestMemory(load, Limits.BODY_BYTES_MAX);
        this.startNanos = transport.now();
        this.timeNanos = RequestTimeout.of(address, transport.times().request()).toNanos();
        this.deadlineNanos = startNanos + timeNanos;
        load.beginRequest();
        http.exceptionHandler(lost -> abandon());
        http.response().exceptionHandler(lost -> abandon());
    }

    /**
     * Counts the headers for as long as the request is in flight: a body that never comes keeps them in memory. Over HTTP/2
     * they were not counted while they arrived.
     */
    private boolean holdHeaders(long counted) {
        headers.hold(counted);
        return http.version() != HttpVersion.HTTP_2 || headers.reserve(request.headBytes());
    }

    /**
     * Runs the request, which will ask for its body.
     *
     * @param headerBytes the bytes already counted for its headers
     */
    void start(long headerBytes) {
        connection.serving(this, http);
        if (!holdHeaders(headerBytes)) {
            refuse(StorageError.SERVER_BUSY);
            return;
        }
        if (body.mayHaveBytes()) {
            connection.headers().body(http);
            if (http.isEnded() || http.bytesRead() > 0) {
                // Vert.x may drop the beginning of a body that was sent before the response to an earlier request with
                // a
                // body. Nothing can be done but to let the client come again.
                lose(StorageError.INVALID_INPUT);
                return;
            }
        }
        respond();
        if (!responded) {
            body.holdBack();
        }
    }

    void inputEnded() {
        body.inputEnded();
    }

    /** Whether the client has read something of the file that is sent to it, since the last call. */
    boolean fileMoved() {
        return file != null && file.moved();
    }

    @Override
    public void received(int bytes) {
        bytesIn += bytes;
    }

    @Override
    public void waitsForClient() {
        waitsForClient = true;
    }

    @Override
    public void waitsForServer() {
        waitsForClient = false;
        deadlineNanos = transport.now() + timeNanos;
    }

    @Override
    public void cutShort() {
        lose(StorageError.INVALID_INPUT);
    }

    boolean isBodyLate(long now) {
        return body.isLate(now);
    }

    boolean isLate(long now) {
        return !waitsForClient && now - deadlineNanos > 0;
    }

    /** Gives up a request whose body will never be complete; its client cannot be told. */
    void lose(StorageError reason) {
        abandon(new StorageException(reason));
        http.response().reset();
    }

    /** Runs the request and writes its response. */
    private void respond() {
        transport.pipeline().respond(request).whenComplete((made, impossible) -> {
            // The request lives on while its client reads the response, and its body would with it.
            request.dropBody();
            // Counted where it was made: the event loop may be slower than all threads that make responses for it.
            AdmittedResponse admitted = AdmittedResponse.admit(request, made, load, transport.pipeline());
            if (Vertx.currentContext() == context) {
                write(admitted);
            } else {
                context.runOnContext(hop -> write(admitted));
            }
        });
        if (!responded) {
            inFlight.add(this);
        }
    }

    void refuse(StorageError error) {
        write(AdmittedResponse.refusal(request, error, transport.pipeline()));
    }

    /** Refuses a body that cannot be decoded further; returns false if the request has its response already. */
    boolean refuseBody() {
        if (responded) {
            return false;
        }
        AdmittedResponse refusal = AdmittedResponse.refusal(request, StorageError.INVALID_INPUT, transport.pipeline());
        refusal.response().header("Connection", "close");
        write(refusal);
        closeLater(context.owner(), http.connection());
        return true;
    }

    /** Closes a connection later: closed at once, the response could be lost to a client that is still sending. */
    static void closeLater(Vertx vertx, HttpConnection connection) {
        vertx.setTimer(LINGER_MILLIS, late -> connection.close());
    }

    private void write(AdmittedResponse admitted) {
        Response made = admitted.response();
        if (responded) {
            load.releaseResponse(admitted.held());
            made.discard();
            return;
        }
        responded = true;
        response = made;
        respondedNanos = transport.now();
        inFlight.remove(this);
        body.close(new StorageException(StorageError.OPERATION_TIMED_OUT));
        if (body.mayHaveBytes()) {
            IncomingBody.discard(http);
        }
        if (made.stream().isPresent()) {
            writeStream(made);
        } else if (admitted.held() > 0) {
            writeLarge(made, admitted.held());
        } else {
            Future<Void> written = transport.writer().writeSmall(http, made);
            finish(made.status(), bodyBytes(made));
            closeHalfClosed(written);
        }
    }

    private long bodyBytes(Response made) {
        return request.method().equals("HEAD") ? 0 : made.buffered().length();
    }

    /** A client that has closed its side will not ask for anything more. */
    private void closeHalfClosed(Future<Void> written) {
        if (connection.isFinished()) {
            written.onComplete(sent -> http.connection().close());
        }
    }

    /** Writes a response that a slow client may leave in memory for a while. The request ends before that. */
    private void writeLarge(Response made, int held) {
        connection.beginResponse();
        Future<Void> written = transport
                .writer()
                .write(http, made, sender(made))
                .onComplete(sent -> {
                    load.releaseResponse(held);
                    connection.endResponse();
                });
        finish(made.status(), bodyBytes(made));
        closeHalfClosed(written);
    }

    /** Writes a response whose body is fetched as it is sent; the rest of it is not when the client goes away. */
    private void writeStream(Response made) {
        headers.release();
        connection.beginResponse();
        if (http.version() != HttpVersion.HTTP_2 && made.body().file().isPresent()) {
            file = VertxInternals.sendProgress(http.connection());
        }
        BodySender sender = sender(made);
        transport.writer().write(http, made, sender).onComplete(sent -> {
            connection.endResponse();
            boolean broken = request.trace().error().isPresent() && sent.failed();
            finish(sent.succeeded() ? made.status() : broken ? 500 : RequestSummary.CLIENT_GONE, sender.sent());
            closeHalfClosed(Future.succeededFuture());
        });
    }

    private BodySender sender(Response made) {
        return new BodySender(http.response(), made.body(), context, load, connection::progressed, failure -> {
            LOG.error("Response broken off: request={}", request.id(), failure);
            request.trace().failed(StorageError.INTERNAL_ERROR);
        });
    }

    /** Ends a request whose client is gone. */
    private void abandon() {
        abandon(new StorageException(StorageError.INVALID_INPUT, "The client is gone."));
    }

    private void abandon(StorageException reason) {
        if (!responded) {
            responded = true;
            inFlight.remove(this);
            body.close(reason);
            finish(RequestSummary.CLIENT_GONE, 0);
        }
    }

    /** Ends the request: nothing more will be written. */
    private void finish(int status, long bytesOut) {
        headers.release();
        connection.end(this);
        load.endRequest();
        if (transport.observer() != RequestObserver.NONE) {
            long now = connection.lastActiveNanos();
            transport
                    .observer()
                    .finished(RequestSummary.of(
                            request,
                            Optional.ofNullable(response),
                            status,
                            bytesIn,
                            bytesOut,
                            now - startNanos,
                            response == null ? 0 : now - respondedNanos));
        }
    }
}
