package dev.trestle.server.admin;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers a request for a scrub with a line for each finding as it is found, one each second, and one at the end. */
final class ScrubAnswer {
    private static final Logger LOG = LoggerFactory.getLogger(ScrubAnswer.class);
    private static final int FORBIDDEN = 403;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int CONFLICT = 409;
    private static final long BETWEEN_LINES_MILLIS = 1000;

    private final Vertx vertx;
    private final Context context;
    private final HttpServerRequest request;
    private final HttpServerResponse response;

    ScrubAnswer(Vertx vertx, HttpServerRequest request) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.request = request;
        this.response = request.response();
    }

    void begin(Scrubbing scrubbing) {
        response.putHeader("Content-Type", "text/plain; charset=utf-8").putHeader("Cache-Control", "no-store");
        if (!request.method().equals(HttpMethod.POST)) {
            response.putHeader("Allow", "POST");
            refuse(METHOD_NOT_ALLOWED, "A scrub is asked for with POST.");
        } else if (request.getHeader("Origin") != null) {
            // Any page that a browser on this machine shows could else start one.
            refuse(FORBIDDEN, "A scrub is not for browsers; use trestle scrub.");
        } else {
            boolean verify = !"false".equals(request.getParam("verify"));
            Optional<Scrubbing.Run> started = scrubbing.start(verify, this::tell);
            started.ifPresentOrElse(
                    this::follow, () -> refuse(CONFLICT, "A scrub is under way already; wait for its end."));
        }
    }

    private void follow(Scrubbing.Run run) {
        response.setChunked(true);
        response.closeHandler(gone -> run.stop());
        long timer = vertx.setPeriodic(BETWEEN_LINES_MILLIS, tick -> write(run.progress()));
        Future.fromCompletionStage(run.done(), context).onComplete(done -> {
            vertx.cancelTimer(timer);
            if (done.failed()) {
                LOG.warn("The scrub was not finished", done.cause());
            }
            if (!response.closed()) {
                response.end(
                        (done.succeeded() ? done.result() : "The scrub was not finished; the log says why.") + "\n");
            }
        });
    }

    /** On the thread of the scrub, which waits until the line is on its way: a slow reader must not fill the memory. */
    private void tell(String line) {
        CompletableFuture<Void> written = new CompletableFuture<>();
        context.runOnContext(now -> write(line).whenComplete((done, failure) -> written.complete(null)));
        written.join();
    }

    private CompletionStage<Void> write(String line) {
        return response.closed()
                ? CompletableFuture.completedFuture(null)
                : response.write(line + "\n").toCompletionStage();
    }

    private void refuse(int status, String sentence) {
        response.setStatusCode(status).end(sentence + "\n");
    }
}
