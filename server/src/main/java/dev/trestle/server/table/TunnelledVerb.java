package dev.trestle.server.table;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.pipeline.Request;
import java.util.List;
import java.util.Locale;

/** The header {@code X-HTTP-Method}, by which POST tunnels another verb. */
final class TunnelledVerb {
    private static final String HEADER = "X-HTTP-Method";

    private TunnelledVerb() {}

    /** Returns the effective verb of a request. */
    static String of(Request request) {
        List<String> values = request.headerValues(HEADER);
        return values.isEmpty() ? request.method() : of(request.method(), values);
    }

    /** Returns the effective verb of a request with these values of the header. */
    static String of(String method, List<String> values) {
        if (values.size() > 1) {
            throw new StorageException(StorageError.X_METHOD_INCORRECT_COUNT);
        }
        if (!method.equals("POST")) {
            throw new StorageException(StorageError.X_METHOD_NOT_USING_POST);
        }
        String verb = values.get(0).strip().toUpperCase(Locale.ROOT);
        return switch (verb) {
            case "MERGE", "PATCH", "PUT", "DELETE" -> verb;
            default -> throw new StorageException(StorageError.X_METHOD_INCORRECT_VALUE);
        };
    }
}
