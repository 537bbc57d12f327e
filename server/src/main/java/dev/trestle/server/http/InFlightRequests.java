package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;

/** The requests of one event loop that have no response yet. Belongs to that loop. */
final class InFlightRequests {
    private final Set<Exchange> exchanges = new HashSet<>();

    void add(Exchange exchange) {
        exchanges.add(exchange);
    }

    void remove(Exchange exchange) {
        exchanges.remove(exchange);
    }

    /** Ends the requests that exceed their time limit. */
    void expire(long now) {
        for (Exchange exchange : new ArrayList<>(exchanges)) {
            if (exchange.isBodyLate(now)) {
                exchange.lose(StorageError.OPERATION_TIMED_OUT);
            } else if (exchange.isLate(now)) {
                exchange.refuse(StorageError.OPERATION_TIMED_OUT);
            }
        }
    }
}
