package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Optional;

/** The parameters in the addresses of queues and blobs, refused with the particulars the services give. */
final class Parameters {
    private Parameters() {}

    static int number(Request request, String name, int min, int max, int otherwise) {
        Optional<String> text = request.query(name);
        return text.isEmpty() ? otherwise : number(name, text.get(), min, max);
    }

    static int requiredNumber(Request request, String name, int min, int max) {
        return number(name, required(request, name), min, max);
    }

    static String required(Request request, String name) {
        return request.query(name)
                .orElseThrow(() -> new StorageException(StorageError.MISSING_REQUIRED_QUERY_PARAMETER)
                        .with("QueryParameterName", name));
    }

    private static int number(String name, String text, int min, int max) {
        long value = parse(name, text);
        if (value < min || value > max) {
            throw outOfRange(name, text, min, max);
        }
        return (int) value;
    }

    /** How many a page of a listing is to have: as many as there may be, unless fewer are asked for. */
    static int max(Request request, int most) {
        Optional<String> text = request.query("maxresults");
        if (text.isEmpty()) {
            return most;
        }
        long asked = parse("maxresults", text.get());
        if (asked < 1) {
            throw outOfRange("maxresults", text.get(), 1, most);
        }
        return (int) Math.min(asked, most);
    }

    static long parse(String name, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw invalid(name, text, "The value is not a number.");
        }
    }

    static StorageException outOfRange(String name, String text, long min, long max) {
        return new StorageException(StorageError.OUT_OF_RANGE_QUERY_PARAMETER_VALUE)
                .with("QueryParameterName", name)
                .with("QueryParameterValue", text)
                .with("MinimumAllowed", Long.toString(min))
                .with("MaximumAllowed", Long.toString(max));
    }

    static StorageException invalid(String name, String text, String reason) {
        return new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE)
                .with("QueryParameterName", name)
                .with("QueryParameterValue", text)
                .with("Reason", reason);
    }
}
