package dev.trestle.server.auth;

import dev.trestle.server.codec.QueryParameters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** The last part of what an account key signs: where a request goes, and with which parameters. */
final class CanonicalResource {
    private static final String SECONDARY = "-secondary";

    private CanonicalResource() {}

    /**
     * The head, continued by the path and the parameters: one text, or two on the secondary, where some clients keep
     * {@code -secondary} in the path they sign and others drop it.
     */
    static List<String> texts(String head, SignedRequest request, String parameters) {
        String account = "/" + request.account();
        String path = request.rawPath().isEmpty() ? "/" : request.rawPath();
        String asSent = head + account + path + parameters;
        String secondary = account + SECONDARY;
        if (!request.pathStyle() || !(path.equals(secondary) || path.startsWith(secondary + "/"))) {
            return List.of(asSent);
        }
        return List.of(head + account + account + path.substring(secondary.length()) + parameters, asSent);
    }

    /** The only parameter that takes part where few things are signed. */
    static String component(QueryParameters query) {
        return query.find("comp").map(comp -> "?comp=" + comp).orElse("");
    }

    /**
     * All parameters, sorted by name, those of the same name joined by commas. Some clients take a comma within a value
     * for such a one, and sort around it; others leave it alone. There are two answers where that makes a difference.
     */
    static List<String> parameters(QueryParameters query) {
        SortedMap<String, List<String>> values = new TreeMap<>();
        SortedMap<String, List<String>> pieces = new TreeMap<>();
        query.forEach((name, value) -> {
            String folded = name.toLowerCase(Locale.ROOT);
            values.computeIfAbsent(folded, any -> new ArrayList<>()).add(value);
            Collections.addAll(pieces.computeIfAbsent(folded, any -> new ArrayList<>()), value.split(",", -1));
        });
        String asSent = lines(values);
        String cut = lines(pieces);
        return asSent.equals(cut) ? List.of(asSent) : List.of(asSent, cut);
    }

    private static String lines(SortedMap<String, List<String>> parameters) {
        StringBuilder lines = new StringBuilder();
        parameters.forEach((name, values) -> {
            Collections.sort(values);
            lines.append('\n').append(name).append(':').append(String.join(",", values));
        });
        return lines.toString();
    }
}
