package dev.trestle.server.http;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.QueryParameters;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
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
    private static final long LINGER_MILLIS = 2000;

    private final Vertx vertx;
    private final ErrorRenderer errors;
    private final Accounts accounts;
    private final RequestIds ids;
    private final UnderWay underWay;
    private final RequestPipeline pipeline;
    private final ServerLoad load;
    private final Map<HttpConnection, Peer> peers = new HashMap<>();

    HttpFrontEnd(Vertx vertx, ErrorRenderer errors, Accounts accounts, RequestIds ids, UnderWay underWay) {
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
        if (!load.enter()) {
            connection.close();
            return;
        }
        Peer peer = new Peer(HeadWatch.of(connection, load));
        peers.put(connection, peer);
        connection.closeHandler(closed -> {
            peers.remove(connection);
            peer.heads.release();
            load.leave();
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
        Throwable cause = http.decoderResult().cause();
        boolean longLine = cause instanceof TooLongHttpLineException;
        boolean longHeader = cause instanceof TooLongHttpHeaderException;
        StorageError error = longLine
                ? StorageError.REQUEST_URL_FAILED_TO_PARSE
                : longHeader ? StorageError.INVALID_HEADER_VALUE : StorageError.INVALID_INPUT;
        refuseEarly(http, longLine ? 414 : longHeader ? 431 : 400, ids.next(), new StorageException(error), true);
        // Closed at once, the answer could be lost to a client that is still sending.
        vertx.setTimer(LINGER_MILLIS, late -> http.connection().close());
    }

    public void handle(HttpServerRequest http) {
        Peer peer = peer(http);
        if (peer.refused) {
            return;
        }
        if (!RequestHead.isPlain(http)) {
            // What comes behind such a head may be meant to look like a request of somebody else.
            peer.refused = true;
            refuseMalformed(http);
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
                    Request.address(http, accounts),
                    task -> context.runOnContext(hop -> task.run()));
        } catch (StorageException e) {
            load.release(head);
            peer.heads.body(http);
            ArrivingBody.discard(http);
            refuseEarly(http, e.error().status(), id, e, false);
            return;
        }
        Exchange exchange = new Exchange(http, request, context, peer, underWay);
        if (!exchange.hold(head)) {
            exchange.refuse(StorageError.SERVER_BUSY);
            return;
        }
        if (pipeline.streamsBodies()) {
            exchange.answerOnHead();
            return;
        }
        String declared = http.getHeader("Content-Length");
        boolean chunked = http.getHeader("Transfer-Encoding") != null;
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

    private Peer peer(HttpServerRequest http) {
        return peers.computeIfAbsent(http.connection(), connection -> new Peer(HeadWatch.of(connection, load)));
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
<<<<<<< ours
=======

    /** Reads on without keeping anything, so that a client still sending gets to read why it should not. */
    private static void discardRest(HttpServerRequest http) {
        if (http.isEnded()) {
            return;
        }
        long[] discarded = {0};
        http.handler(chunk -> {
            discarded[0] += chunk.length();
            if (discarded[0] > HttpLimits.DISCARDED_BYTES_MAX) {
                http.connection().close();
            }
        });
        http.endHandler(end -> {});
        http.resume();
    }

    /** @param held what is counted for it until its client has taken it */
    private record Answer(Response response, int held) {}

    /** A request and the one answer it gets. */
    private final class Exchange implements IncomingBody.Watcher {
        private final HttpServerRequest http;
        private final Request request;
        private final Context context;
        private final Peer peer;
        private final long startNanos = System.nanoTime();
        private final long timeNanos;
        private final RequestMemory memory = new RequestMemory(load, Limits.BODY_BYTES_MAX);
        private @Nullable IncomingBody incoming;
        private long deadlineNanos;
        private boolean waitsForClient;
        private boolean answered;

        Exchange(HttpServerRequest http, Request request, Context context, Peer peer) {
            this.http = http;
            this.request = request;
            this.context = context;
            this.peer = peer;
            this.timeNanos = TimeUnit.SECONDS.toNanos(request.timeoutSeconds(times.request()));
            this.deadlineNanos = startNanos + timeNanos;
            peer.underWay++;
            load.begin();
            http.exceptionHandler(lost -> abandon());
            http.response().exceptionHandler(lost -> abandon());
        }

        /**
         * Counts the head for as long as the request is under way: a body that never comes keeps it in memory. Over
         * HTTP/2 it was not counted while it arrived.
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
            return incoming != null && incoming.isStalled(now, times.body().toNanos());
        }

        boolean isLate(long now) {
            return !waitsForClient && now - deadlineNanos > 0;
        }

        /** The body will never be whole; there is no telling what its sender is doing. */
        void lose(StorageError reason) {
            abandon(new StorageException(reason));
            http.response().reset();
        }

        /** Runs the request, whose body has come, and writes what comes of it. */
        void answer() {
            pipeline.answer(request).whenComplete((response, impossible) -> {
                // This request lives on while its client takes the answer, and what it brought would with it.
                request.dropBody();
                // Counted where it was made: the event loop may be slower than all that make answers for it.
                Answer answer = admit(response);
                if (Vertx.currentContext() == context) {
                    write(answer);
                } else {
                    context.runOnContext(hop -> write(answer));
                }
            });
            if (!answered) {
                underWay.add(this);
            }
        }

        /** The answer, or that there is no room to keep it until its client has taken it. */
        private Answer admit(Response response) {
            boolean inMemory =
                    response.stream().filter(body -> body.file().isEmpty()).isPresent();
            if (inMemory && load.answersOverflow() && request.method().equals("GET")) {
                response.discard();
                return new Answer(pipeline.refuse(request, new StorageException(StorageError.SERVER_BUSY)), 0);
            }
            if (response.bodyLength() <= SMALL_ANSWER_BYTES) {
                return new Answer(response, 0);
            }
            // All of the array stays in memory, also what the body does not fill.
            int bytes = response.heldBytes();
            if (!load.waiting(bytes) && request.method().equals("GET")) {
                load.taken(bytes);
                return new Answer(pipeline.refuse(request, new StorageException(StorageError.SERVER_BUSY)), 0);
            }
            return new Answer(response, bytes);
        }

        void refuse(StorageError error) {
            if (incoming == null) {
                discardRest(http);
            }
            write(new Answer(pipeline.refuse(request, new StorageException(error)), 0));
        }

        void expire() {
            refuse(StorageError.OPERATION_TIMED_OUT);
        }

        private void write(Answer answer) {
            Response response = answer.response;
            if (answered) {
                load.taken(answer.held);
                response.discard();
                return;
            }
            answered = true;
            request.answered(response);
            underWay.remove(this);
            if (incoming != null) {
                leaveBody(new StorageException(StorageError.OPERATION_TIMED_OUT));
                if (incoming.mayHaveBytes()) {
                    discardRest(http);
                }
            }
            Optional<OutgoingBody> stream = response.stream();
            if (stream.isPresent()) {
                writeStream(response, stream.get());
                return;
            }
            Future<Void> written = answer.held > 0 ? writeLarge(answer) : writer.write(http, response);
            finish(response.status(), request.method().equals("HEAD") ? 0 : response.bodyLength());
            closeHalfClosed(written);
        }

        /** A client that has closed its side will not ask for anything more. */
        private void closeHalfClosed(Future<Void> written) {
            if (peer.inputEnded && peer.underWay == 0) {
                HttpConnection connection = http.connection();
                written.onComplete(sent -> connection.close());
            }
        }

        /** Writes an answer that a slow client may leave in memory for a while. */
        private Future<Void> writeLarge(Answer answer) {
            int held = answer.held;
            peer.answersWaiting++;
            return writer.writeLarge(
                            http, answer.response, load::pieceBytes, () -> peer.waitingSinceNanos = System.nanoTime())
                    .onComplete(sent -> {
                        load.taken(held);
                        peer.answersWaiting--;
                    });
        }

        /** Writes an answer whose body comes meanwhile; what is left of it when the client goes away is not sent. */
        private void writeStream(Response response, OutgoingBody body) {
            memory.release();
            peer.answersWaiting++;
            peer.waitingSinceNanos = System.nanoTime();
            if (http.version() != HttpVersion.HTTP_2 && body.file().isPresent()) {
                peer.sending = SendProgress.of(http.connection());
            }
            StreamedAnswer answer = new StreamedAnswer(
                    http.response(), body, context, load, () -> peer.waitingSinceNanos = System.nanoTime(), failure -> {
                        LOG.error("Request {} failed while it was answered", request.id(), failure);
                        request.trace().failed(StorageError.INTERNAL_ERROR);
                    });
            writer.writeStream(http, response, body, answer).onComplete(sent -> {
                peer.answersWaiting--;
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
        private void abandon() {
            abandon(new StorageException(StorageError.INVALID_INPUT, "The client is gone."));
        }

        private void abandon(StorageException reason) {
            if (!answered) {
                answered = true;
                underWay.remove(this);
                leaveBody(reason);
                finish(RequestSummary.CLIENT_GONE, 0);
            }
        }

        /** Nothing more will be written. */
        private void finish(int status, long bytesOut) {
            if (peer.incoming == incoming) {
                peer.incoming = null;
            }
            memory.release();
            peer.heads.answered();
            peer.underWay--;
            peer.lastActiveNanos = System.nanoTime();
            load.end();
            if (observer != RequestObserver.NONE) {
                observer.finished(request.summary(status, bytesOut, peer.lastActiveNanos - startNanos));
            }
        }
    }

    /** A body on its way in. */
    private final class Body {
        private final Exchange exchange;
        private boolean over;

        Body(Exchange exchange, int expected) {
            this.exchange = exchange;
            exchange.memory.expect(expected);
        }

        void start() {
            exchange.peer.bodiesUnderWay++;
            arriving.add(this);
            exchange.http.handler(this::chunk);
            exchange.http.endHandler(end -> finish());
            exchange.http.exceptionHandler(lost -> {
                end();
                exchange.abandon();
            });
        }

        private void chunk(Buffer chunk) {
            if (over) {
                return;
            }
            try {
                exchange.memory.add(chunk);
            } catch (StorageException e) {
                end();
                exchange.refuse(e.error());
                return;
            }
        }

        private void finish() {
            if (over) {
                return;
            }
            end();
            if (exchange.memory.length() > SMALL_ANSWER_BYTES && load.answersOverflow()) {
                exchange.refuse(StorageError.SERVER_BUSY);
                return;
            }
            exchange.request.body(exchange.memory.bytes(), 0, exchange.memory.length());
            exchange.answer();
        }

        /** It took too long; there is no telling what its sender is doing. */
        void expire() {
            end();
            exchange.http.connection().close();
        }

        /** No more of it is wanted. */
        private void end() {
            if (!over) {
                over = true;
                arriving.remove(this);
                exchange.peer.bodiesUnderWay--;
            }
        }
    }
>>>>>>> theirs
}
