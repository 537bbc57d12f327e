package dev.trestle.server.pipeline;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.time.Duration;
import java.util.Optional;

/** The query parameter {@code timeout}, in seconds. */
public final class RequestTimeout {
    private static final int DIGITS_MAX = 10;

    private RequestTimeout() {}

    /** Throws if the request has an invalid timeout. */
    static void check(Request request) {
        Optional<String> timeout = request.query("timeout");
        if (timeout.isPresent() && !isValid(timeout.get())) {
            throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
    }

    /** Returns the time limit of the request: its timeout, up to this maximum. */
    public static Duration of(RequestAddress address, Duration max) {
        Optional<String> timeout = address.query().find("timeout");
        if (timeout.isEmpty() || !isValid(timeout.get())) {
            return max;
        }
        long seconds = Math.min(max.toSeconds(), Long.parseLong(timeout.get()));
        return seconds > 0 ? Duration.ofSeconds(seconds) : max;
    }

    static boolean isValid(String text) {
        return !text.isEmpty() && text.length() < DIGITS_MAX && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
