package dev.trestle.server.pipeline;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.util.Optional;

/** Checks the protocol version of requests. Every date since the first version is accepted, future ones included. */
public final class ProtocolVersion {
    private static final String FIRST = "2009-04-14";

    /** The version of a request without one. */
    private static final String LATEST = "9999-12-31";

    /** The last valid version, cached because most clients of a server use the same one. */
    private volatile String known = FIRST;

    /** Throws if the request has an invalid version. */
    void check(Request request) {
        Optional<String> requested = request.header("x-ms-version").or(() -> request.query("api-version"));
        if (requested.isPresent() && !isKnown(requested.get())) {
            throw new StorageException(StorageError.INVALID_HEADER_VALUE);
        }
    }

    /** Returns the version of the request, if it is valid. */
    Optional<String> find(Request request) {
        return request.header("x-ms-version")
                .or(() -> request.query("api-version"))
                .or(() -> request.query("sv"))
                .filter(this::isKnown);
    }

    private boolean isKnown(String text) {
        if (text.equals(known)) {
            return true;
        }
        boolean version = isVersion(text);
        if (version) {
            known = text;
        }
        return version;
    }

    static boolean isVersion(String text) {
        if (text.length() != FIRST.length() || text.charAt(4) != '-' || text.charAt(7) != '-') {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (i != 4 && i != 7 && (text.charAt(i) < '0' || text.charAt(i) > '9')) {
                return false;
            }
        }
        return Ticks.parse(text).isPresent() && text.compareTo(FIRST) >= 0;
    }

    /** Whether the request has this version or a later one. */
    public static boolean isSince(Request request, String version) {
        return text(request).compareTo(version) >= 0;
    }

    /** Returns the version of the request; the latest possible one if it has none. */
    public static String text(Request request) {
        return request.header("x-ms-version").or(() -> request.query("sv")).orElse(LATEST);
    }
}
