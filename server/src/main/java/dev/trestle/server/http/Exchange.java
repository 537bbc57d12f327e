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

/** A request and its response, from the request head to the last byte on the socket. Belongs to an event loop. */
final class Exchange implements IncomingBody.Watcher {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private static final long LINGER_MILLIS = 2000;
    private static final int INTERNAL_ERROR = 500;

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

    /** @param connection has counted the request as begun */
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

    /** Counts the headers while the request is in flight. Over HTTP/2 they were not counted while they arrived. */
    private boolean holdHeaders(long counted) {
        headers.hold(counted);
        return http.version() != HttpVersion.HTTP_2 || headers.reserve(request.headBytes());
    }

    /**
     * Runs the request.
     *
     * @param headerBytes the bytes already reserved for its headers
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
                // Vert.x may drop the beginning of a body that a client sends before the response to an earlier
                // request with a body. The only remedy is that the client retries.
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

    /** Whether the client has read something of the file being sent since the last call. */
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

    /** Abandons a request whose body will never be complete, and resets the stream or closes the connection. */
    void lose(StorageError reason) {
        abandon(new StorageException(reason));
        http.response().reset();
    }

    /** Runs the request and writes its response. */
    private void respond() {
        transport.pipeline().respond(request).whenComplete((made, bug) -> {
            if (bug != null) {
                LOG.error("Request abandoned: request={}", request.id(), bug);
                context.runOnContext(hop -> lose(StorageError.INTERNAL_ERROR));
                return;
            }
            // The exchange outlives the handler while the client reads the response; the body is no longer needed.
            request.dropBody();
            // Counted on the thread that rendered it: the event loop may be slower than the threads that render
            // for it.
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

    /** Refuses a body that cannot be decoded; returns false if the request already has its response. */
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

    /**
     * Closes a connection after a delay, because a client that is still sending could lose the response otherwise.
     */
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
        boolean streamed = made.stream().isPresent();
        boolean mayWait = streamed || admitted.held() > 0;
        if (mayWait) {
            connection.beginResponse();
        }
        if (streamed) {
            headers.release();
            watchFile(made);
        }
        BodySender sender = sender(made);
        Future<Void> written = transport.writer().write(http, made, sender);
        if (mayWait) {
            written.onComplete(sent -> {
                load.releaseResponse(admitted.held());
                connection.endResponse();
            });
        }
        if (streamed) {
            written.onComplete(sent -> {
                finish(streamedStatus(made, sent.succeeded()), sender.sent());
                closeIfFinished(written);
            });
        } else {
            // The request is over when its response is in memory, even if the client has yet to read it.
            finish(
                    made.status(),
                    request.method().equals("HEAD") ? 0 : made.buffered().length());
            closeIfFinished(written);
        }
    }

    /** Closes the connection after the response if the client has closed its side. */
    private void closeIfFinished(Future<Void> written) {
        if (connection.isFinished()) {
            written.onComplete(sent -> http.connection().close());
        }
    }

    private int streamedStatus(Response made, boolean complete) {
        if (complete) {
            return made.status();
        }
        return request.trace().error().isPresent() ? INTERNAL_ERROR : RequestSummary.CLIENT_GONE;
    }

    private void watchFile(Response made) {
        if (http.version() != HttpVersion.HTTP_2 && made.body().file().isPresent()) {
            file = VertxInternals.sendProgress(http.connection());
        }
    }

    private BodySender sender(Response made) {
        return new BodySender(http.response(), made.body(), context, load, connection::progressed, failure -> {
            LOG.error("Response aborted: request={}", request.id(), failure);
            request.trace().failed(StorageError.INTERNAL_ERROR);
        });
    }

    /** Ends a request whose client closed the connection. */
    private void abandon() {
        abandon(new StorageException(StorageError.INVALID_INPUT, "The client closed the connection."));
    }

    private void abandon(StorageException reason) {
        if (!responded) {
            responded = true;
            inFlight.remove(this);
            body.close(reason);
            finish(RequestSummary.CLIENT_GONE, 0);
        }
    }

    /** Ends the request and reports it. */
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
