package dev.trestle.server.pipeline;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.util.Optional;

/** The protocol version of requests: any date from the first version on, for clients are updated before their servers. */
public final class ProtocolVersion {
    private static final String FIRST = "2009-04-14";

    /** Taken for a request that names no version. */
    private static final String LATEST = "9999-12-31";

    /** The version last seen: clients that are served together mostly speak the same one. */
    private volatile String known = FIRST;

    /** Returns if the request names no version, or one that there can be. */
    void check(Request request) {
        Optional<String> asked = request.header("x-ms-version").or(() -> request.query("api-version"));
        if (asked.isPresent() && !isKnown(asked.get())) {
            throw new StorageException(StorageError.INVALID_HEADER_VALUE);
        }
    }

    /** The version that a request asks for, if it is one that there can be. */
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

    /** Whether a request is written for this version or a later one. */
    public static boolean isSince(Request request, String version) {
        return text(request).compareTo(version) >= 0;
    }

    /** The version a request is written for; the latest there can be if it does not say. */
    public static String text(Request request) {
        return request.header("x-ms-version").or(() -> request.query("sv")).orElse(LATEST);
    }
}
