package dev.trestle.server.pipeline;

import java.util.List;

/**
 * Receives every request once, when it is finished. Called on event loops: it must return quickly and must not
 * throw.
 */
public interface RequestObserver {
    RequestObserver NONE = summary -> {};

    void finished(RequestSummary summary);

    /** Returns an observer that calls all of these in order. */
    static RequestObserver all(List<RequestObserver> observers) {
        RequestObserver[] each = observers.toArray(RequestObserver[]::new);
        return switch (each.length) {
            case 0 -> NONE;
            case 1 -> each[0];
            default ->
                summary -> {
                    for (RequestObserver observer : each) {
                        observer.finished(summary);
                    }
                };
        };
    }
}
