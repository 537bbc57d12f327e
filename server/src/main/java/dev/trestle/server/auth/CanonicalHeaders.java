package dev.trestle.server.auth;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The canonicalized headers of a string to sign: one line for each {@code x-ms-} header, sorted by name. */
final class CanonicalHeaders {
    private static final String PREFIX = "x-ms-";
    private static final String VERSION_WITH_EMPTY_VALUES = "2016-05-31";
    private static final HeaderOrder CULTURE = new HeaderOrder();

    private CanonicalHeaders() {}

    /**
     * Returns the lines as one text, or as several where clients differ. They differ in the order of names with
     * uncommon characters. They also differ in white space within values: the documentation says it becomes one
     * space, but many clients keep it.
     *
     * @throws StorageException if a header occurs twice
     */
    static List<String> blocks(SignedRequest request) {
        SortedMap<String, String> headers = read(request);
        List<String> byCode = List.copyOf(headers.keySet());
        List<String> byCulture = byCode.stream().sorted(CULTURE).toList();
        boolean sameOrder = byCode.equals(byCulture);
        boolean sameValues =
                headers.values().stream().allMatch(value -> collapsed(value).equals(value));
        List<String> blocks = new ArrayList<>();
        for (List<String> names : sameOrder ? List.of(byCode) : List.of(byCulture, byCode)) {
            blocks.add(block(names, headers, CanonicalHeaders::collapsed));
            if (!sameValues) {
                blocks.add(block(names, headers, UnaryOperator.identity()));
            }
        }
        return blocks;
    }

    private static SortedMap<String, String> read(SignedRequest request) {
        boolean withEmpty = request.headerOrEmpty("x-ms-version").compareTo(VERSION_WITH_EMPTY_VALUES) >= 0;
        SortedMap<String, String> headers = new TreeMap<>();
        for (Map.Entry<String, String> header : request.headers()) {
            String name = header.getKey();
            if (name.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
                String earlier = headers.put(
                        name.toLowerCase(Locale.ROOT), header.getValue().strip());
                if (earlier != null) {
                    throw new StorageException(StorageError.INVALID_HEADER_VALUE);
                }
            }
        }
        if (!withEmpty) {
            headers.values().removeIf(String::isEmpty);
        }
        return headers;
    }

    private static String block(List<String> names, Map<String, String> headers, UnaryOperator<String> form) {
        StringBuilder block = new StringBuilder();
        for (String name : names) {
            block.append(name)
                    .append(':')
                    .append(form.apply(headers.getOrDefault(name, "")))
                    .append('\n');
        }
        return block.toString();
    }

    /** Replaces each run of white space by one space, except between quotation marks. */
    private static String collapsed(String value) {
        StringBuilder collapsed = new StringBuilder(value.length());
        boolean quoted = false;
        boolean afterBlank = false;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            quoted ^= c == '"';
            boolean blank = !quoted && Character.isWhitespace(c);
            if (!blank) {
                collapsed.append(c);
            } else if (!afterBlank) {
                collapsed.append(' ');
            }
            afterBlank = blank;
        }
        return collapsed.toString();
    }
}
