package dev.trestle.server.http;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request and the one answer it gets, from its head to the last byte on the socket. Belongs to an event loop. */
final class Exchange implements IncomingBody.Watcher {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private static final long LINGER_MILLIS = 2000;

    private final HttpServerRequest http;
    private final Request request;
    private final Context context;
    private final ConnectionState peer;
    private final InFlightRequests underWay;
    private final ServerLoad load;
    private final long startNanos = System.nanoTime();
    private final long timeNanos;
    private final RequestMemory memory;
    private @Nullable IncomingBody incoming;
    private @Nullable ArrivingBody arriving;
    private long deadlineNanos;
    private boolean waitsForClient;
    private boolean answered;

    /** @param peer has begun a request for this */
    Exchange(
            HttpServerRequest http, Request request, Context context, ConnectionState peer, InFlightRequests underWay) {
        this.http = http;
        this.request = request;
        this.context = context;
        this.peer = peer;
        this.underWay = underWay;
        this.load = underWay.load;
        this.memory = new RequestMemory(load, Limits.BODY_BYTES_MAX);
        this.timeNanos = TimeUnit.SECONDS.toNanos(request.timeoutSeconds(underWay.times.request()));
        this.deadlineNanos = startNanos + timeNanos;
        load.begin();
        http.exceptionHandler(lost -> abandon());
        http.response().exceptionHandler(lost -> abandon());
    }

    /**
     * Counts the head for as long as the request is under way: a body that never comes keeps it in memory. Over HTTP/2 it
     * was not counted while it arrived.
     */
    boolean hold(long head) {
        memory.hold(head);
        return http.version() != HttpVersion.HTTP_2 || memory.reserve(request.headBytes());
    }

    /** Runs the request, which will ask for its body. */
    void answerOnHead() {
        IncomingBody body = new IncomingBody(http, context, load, request, this);
        request.content(body);
        incoming = body;
        if (body.mayHaveBytes()) {
            peer.heads.body(http);
        }
        if (body.mayHaveBytes() && (http.isEnded() || http.bytesRead() > 0)) {
            // Vert.x may let go of the beginning of a body that was sent before the answer to an earlier one with a
            // body of its own. There is no answer to that but to let the client come again.
            lose(StorageError.INVALID_INPUT);
            return;
        }
        if (http.version() != HttpVersion.HTTP_2) {
            peer.incoming = body;
            if (peer.inputEnded) {
                body.inputEnded();
            }
        }
        answer();
    }

    /**
     * Waits for all of the body and runs the request then.
     *
     * @param expected how long it says it will be
     */
    void awaitBody(int expected) {
        memory.expect(expected);
        arriving = new ArrivingBody(this, http, peer, memory, underWay);
        arriving.start();
    }

    /** Runs the request, whose body is in memory. */
    void answerWithBody() {
        if (memory.length() > Answer.SMALL_BYTES && load.answersOverflow()) {
            refuse(StorageError.SERVER_BUSY);
            return;
        }
        request.body(memory.bytes(), 0, memory.length());
        answer();
    }

    @Override
    public void received(int bytes) {
        request.received(bytes);
    }

    @Override
    public void waitsForClient() {
        waitsForClient = true;
    }

    @Override
    public void waitsForServer() {
        waitsForClient = false;
        deadlineNanos = System.nanoTime() + timeNanos;
    }

    @Override
    public void cutShort() {
        lose(StorageError.INVALID_INPUT);
    }

    boolean isStalled(long now) {
        return incoming != null && incoming.isStalled(now, underWay.times.body().toNanos());
    }

    boolean isLate(long now) {
        return !waitsForClient && now - deadlineNanos > 0;
    }

    /** The body will never be whole; there is no telling what its sender is doing. */
    void lose(StorageError reason) {
        abandon(new StorageException(reason));
        http.response().reset();
    }

    /** Runs the request and writes what comes of it. */
    void answer() {
        underWay.pipeline.answer(request).whenComplete((response, impossible) -> {
            // This request lives on while its client takes the answer, and what it brought would with it.
            request.dropBody();
            // Counted where it was made: the event loop may be slower than all that make answers for it.
            Answer answer = Answer.admit(request, response, load, underWay.pipeline);
            if (Vertx.currentContext() == context) {
                write(answer);
            } else {
                context.runOnContext(hop -> write(answer));
            }
        });
        if (!answered) {
            underWay.begin(this);
        }
    }

    void refuse(StorageError error) {
        if (incoming == null) {
            ArrivingBody.discard(http);
        }
        write(Answer.refusal(request, error, underWay.pipeline));
    }

    /** The rest of the body cannot be decoded; false if the request was answered before, and nothing can be done. */
    boolean refuseBody() {
        if (answered) {
            return false;
        }
        if (arriving != null) {
            arriving.end();
        }
        Answer refusal = Answer.refusal(request, StorageError.INVALID_INPUT, underWay.pipeline);
        refusal.response().header("Connection", "close");
        write(refusal);
        closeLater(context.owner(), http.connection());
        return true;
    }

    /** Closed at once, the answer could be lost to a client that is still sending. */
    static void closeLater(Vertx vertx, HttpConnection connection) {
        vertx.setTimer(LINGER_MILLIS, late -> connection.close());
    }

    private void write(Answer answer) {
        Response response = answer.response();
        if (answered) {
            load.taken(answer.held());
            response.discard();
            return;
        }
        answered = true;
        request.answered(response);
        underWay.end(this);
        if (incoming != null) {
            leaveBody(new StorageException(StorageError.OPERATION_TIMED_OUT));
            if (incoming.mayHaveBytes()) {
                ArrivingBody.discard(http);
            }
        }
        Optional<OutgoingBody> stream = response.stream();
        if (stream.isPresent()) {
            writeStream(response, stream.get());
            return;
        }
        Future<Void> written = answer.held() > 0 ? writeLarge(answer) : underWay.writer.write(http, response);
        finish(response.status(), request.method().equals("HEAD") ? 0 : response.bodyLength());
        closeHalfClosed(written);
    }

    /** A client that has closed its side will not ask for anything more. */
    private void closeHalfClosed(Future<Void> written) {
        if (peer.inputEnded && !peer.isServing()) {
            HttpConnection connection = http.connection();
            written.onComplete(sent -> connection.close());
        }
    }

    /** Writes an answer that a slow client may leave in memory for a while. */
    private Future<Void> writeLarge(Answer answer) {
        int held = answer.held();
        peer.beginAnswer();
        return underWay.writer
                .writeLarge(http, answer.response(), load::pieceBytes, peer::progressed)
                .onComplete(sent -> {
                    load.taken(held);
                    peer.endAnswer();
                });
    }

    /** Writes an answer whose body comes meanwhile; what is left of it when the client goes away is not sent. */
    private void writeStream(Response response, OutgoingBody body) {
        memory.release();
        peer.beginAnswer();
        peer.progressed();
        if (http.version() != HttpVersion.HTTP_2 && body.file().isPresent()) {
            peer.sending = SendProgress.of(http.connection());
        }
        StreamedAnswer answer = new StreamedAnswer(http.response(), body, context, load, peer::progressed, failure -> {
            LOG.error("Request {} failed while it was answered", request.id(), failure);
            request.trace().failed(StorageError.INTERNAL_ERROR);
        });
        underWay.writer.writeStream(http, response, body, answer).onComplete(sent -> {
            peer.endAnswer();
            peer.sending = null;
            boolean broken = request.trace().error().isPresent() && sent.failed();
            finish(sent.succeeded() ? response.status() : broken ? 500 : RequestSummary.CLIENT_GONE, answer.sent());
            closeHalfClosed(Future.succeededFuture());
        });
    }

    /** Who takes the body of the request gets no more of it. */
    private void leaveBody(StorageException reason) {
        if (incoming != null) {
            incoming.close(reason);
        }
    }

    /** The client is gone. */
    void abandon() {
        abandon(new StorageException(StorageError.INVALID_INPUT, "The client is gone."));
    }

    private void abandon(StorageException reason) {
        if (!answered) {
            answered = true;
            underWay.end(this);
            leaveBody(reason);
            finish(RequestSummary.CLIENT_GONE, 0);
        }
    }

    /** Nothing more will be written. */
    private void finish(int status, long bytesOut) {
        if (peer.incoming == incoming) {
            peer.incoming = null;
        }
        if (peer.exchange == this) {
            peer.exchange = null;
        }
        memory.release();
        peer.heads.answered();
        peer.end();
        load.end();
        if (underWay.observer != RequestObserver.NONE) {
            underWay.observer.finished(request.summary(status, bytesOut, peer.lastActiveNanos - startNanos));
        }
    }
}
