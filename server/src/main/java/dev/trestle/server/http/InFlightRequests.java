package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;

/**
 * The requests that one event loop has not answered yet, and what all of them need. Belongs to that loop, which looks
 * through them now and then for those past their time.
 */
final class InFlightRequests {
    final RequestPipeline pipeline;
    final ResponseWriter writer;
    final ServerLoad load;
    final TimeLimits times;
    final RequestObserver observer;
    private final Set<Exchange> exchanges = new HashSet<>();
    private final Set<ArrivingBody> bodies = new HashSet<>();

    InFlightRequests(
            RequestPipeline pipeline,
            ResponseWriter writer,
            ServerLoad load,
            TimeLimits times,
            RequestObserver observer) {
        this.pipeline = pipeline;
        this.writer = writer;
        this.load = load;
        this.times = times;
        this.observer = observer;
    }

    void begin(Exchange exchange) {
        exchanges.add(exchange);
    }

    void end(Exchange exchange) {
        exchanges.remove(exchange);
    }

    void begin(ArrivingBody body) {
        bodies.add(body);
    }

    void end(ArrivingBody body) {
        bodies.remove(body);
    }

    void lookAround(long now) {
        for (Exchange exchange : new ArrayList<>(exchanges)) {
            if (exchange.isStalled(now)) {
                exchange.lose(StorageError.OPERATION_TIMED_OUT);
            } else if (exchange.isLate(now)) {
                exchange.refuse(StorageError.OPERATION_TIMED_OUT);
            }
        }
        long bodyNanos = times.body().toNanos();
        for (ArrivingBody body : new ArrayList<>(bodies)) {
            if (body.isLate(now, bodyNanos)) {
                body.expire();
            }
        }
    }
}
