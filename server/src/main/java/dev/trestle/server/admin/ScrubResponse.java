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

/** The response to a scrub request: a line for each finding, a progress line per second, and a summary. */
final class ScrubResponse {
    private static final Logger LOG = LoggerFactory.getLogger(ScrubResponse.class);
    private static final int FORBIDDEN = 403;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int CONFLICT = 409;
    private static final long BETWEEN_LINES_MILLIS = 1000;

    private final Vertx vertx;
    private final Context context;
    private final HttpServerRequest request;
    private final HttpServerResponse response;

    ScrubResponse(Vertx vertx, HttpServerRequest request) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.request = request;
        this.response = request.response();
    }

    void begin(ScrubRunner scrubs) {
        response.putHeader("Content-Type", "text/plain; charset=utf-8").putHeader("Cache-Control", "no-store");
        if (!request.method().equals(HttpMethod.POST)) {
            response.putHeader("Allow", "POST");
            refuse(METHOD_NOT_ALLOWED, "Use POST to start a scrub.");
        } else if (request.getHeader("Origin") != null) {
            // Otherwise any web page in a browser on this machine could start one.
            refuse(FORBIDDEN, "A scrub is not for browsers; use trestle scrub.");
        } else {
            boolean verify = !"false".equals(request.getParam("verify"));
            Optional<ScrubRunner.Run> started = scrubs.start(verify, this::report);
            started.ifPresentOrElse(
                    this::follow, () -> refuse(CONFLICT, "A scrub is already running; wait for its end."));
        }
    }

    private void follow(ScrubRunner.Run run) {
        response.setChunked(true);
        response.closeHandler(gone -> run.stop());
        long timer = vertx.setPeriodic(BETWEEN_LINES_MILLIS, tick -> write(run.progress()));
        Future.fromCompletionStage(run.done(), context).onComplete(done -> {
            vertx.cancelTimer(timer);
            if (done.failed()) {
                LOG.warn("Scrub aborted", done.cause());
            }
            if (!response.closed()) {
                response.end((done.succeeded() ? done.result() : "The scrub was aborted; see the log.") + "\n");
            }
        });
    }

    /**
     * Called on the thread of the scrub; blocks until the line was written, so that a slow client does not fill
     * the memory.
     */
    private void report(String line) {
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
