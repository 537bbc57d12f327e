package dev.trestle.server.auth;

import dev.trestle.server.codec.QueryParameters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** The canonicalized resource of a string to sign: the path and the parameters. */
final class CanonicalResource {
    private static final String SECONDARY = "-secondary";

    private CanonicalResource() {}

    /**
     * Appends the path and the parameters to the head. Returns two texts for the secondary, because some clients sign
     * the path with {@code -secondary} and others without it.
     */
    static List<String> texts(String head, SignedRequest request, String parameters) {
        String account = "/" + request.account();
        String path = request.rawPath().isEmpty() ? "/" : request.rawPath();
        String unsplit = head + account + path + parameters;
        String secondary = account + SECONDARY;
        if (!request.pathStyle() || !(path.equals(secondary) || path.startsWith(secondary + "/"))) {
            return List.of(unsplit);
        }
        return List.of(head + account + account + path.substring(secondary.length()) + parameters, unsplit);
    }

    /** Returns the only parameter that is signed in the short forms. */
    static String component(QueryParameters query) {
        return query.find("comp").map(comp -> "?comp=" + comp).orElse("");
    }

    /**
     * Returns all parameters, sorted by name, with the values of the same name joined by commas. Some clients split a
     * value at its commas and sort the pieces, others do not; where that makes a difference there are two texts.
     */
    static List<String> parameters(QueryParameters query) {
        SortedMap<String, List<String>> values = new TreeMap<>();
        SortedMap<String, List<String>> pieces = new TreeMap<>();
        query.forEach((name, value) -> {
            String folded = name.toLowerCase(Locale.ROOT);
            values.computeIfAbsent(folded, any -> new ArrayList<>()).add(value);
            Collections.addAll(pieces.computeIfAbsent(folded, any -> new ArrayList<>()), value.split(",", -1));
        });
        String unsplit = lines(values);
        String split = lines(pieces);
        return unsplit.equals(split) ? List.of(unsplit) : List.of(unsplit, split);
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
