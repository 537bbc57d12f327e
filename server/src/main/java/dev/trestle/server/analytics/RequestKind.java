package dev.trestle.server.analytics;

import dev.trestle.catalogue.ServiceProperties.Logging;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.RequestSummary;
import java.util.List;

/** The kinds of requests for which logging can be enabled. */
enum RequestKind {
    READ("read"),
    WRITE("write"),
    DELETE("delete");

    private static final List<String> READING = List.of("Find", "Get", "List", "Peek", "Preflight", "Query");
    private static final List<String> DELETING = List.of("Clear", "Delete");

    private final String word;

    RequestKind(String word) {
        this.word = word;
    }

    /** Returns the word in the metadata of a log blob. */
    String word() {
        return word;
    }

    static RequestKind of(RequestSummary request) {
        if (request.operation() == Operation.UNKNOWN) {
            return switch (request.details().method()) {
                case "GET", "HEAD", "OPTIONS" -> READ;
                case "DELETE" -> DELETE;
                default -> WRITE;
            };
        }
        String name = request.operation().name();
        return READING.stream().anyMatch(name::startsWith)
                ? READ
                : DELETING.stream().anyMatch(name::startsWith) ? DELETE : WRITE;
    }

    boolean isLogged(Logging logging) {
        return switch (this) {
            case READ -> logging.read();
            case WRITE -> logging.write();
            case DELETE -> logging.delete();
        };
    }
}
