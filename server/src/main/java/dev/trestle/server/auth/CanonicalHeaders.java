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

/** The headers of the service's own, as an account key signs them: a line each, sorted by name. */
final class CanonicalHeaders {
    private static final String PREFIX = "x-ms-";
    private static final String VERSION_WITH_EMPTY_VALUES = "2016-05-31";
    private static final HeaderOrder CULTURE = new HeaderOrder();

    private CanonicalHeaders() {}

    /**
     * The lines in one text, or in more where clients disagree: about the order of names with uncommon characters, and
     * about white space within values, which by the documentation shrinks to a blank and by many a client does not.
     *
     * @throws StorageException when a header is there twice
     */
    static List<String> blocks(SignedRequest request) {
        SortedMap<String, String> headers = read(request);
        List<String> byCode = List.copyOf(headers.keySet());
        List<String> byCulture = byCode.stream().sorted(CULTURE).toList();
        boolean sameOrder = byCode.equals(byCulture);
        boolean sameValues =
                headers.values().stream().allMatch(value -> shrunk(value).equals(value));
        List<String> blocks = new ArrayList<>();
        for (List<String> names : sameOrder ? List.of(byCode) : List.of(byCulture, byCode)) {
            blocks.add(block(names, headers, CanonicalHeaders::shrunk));
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

    /** Runs of white space become a blank, except between quotation marks. */
    private static String shrunk(String value) {
        StringBuilder shrunk = new StringBuilder(value.length());
        boolean quoted = false;
        boolean afterBlank = false;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            quoted ^= c == '"';
            boolean blank = !quoted && Character.isWhitespace(c);
            if (!blank) {
                shrunk.append(c);
            } else if (!afterBlank) {
                shrunk.append(' ');
            }
            afterBlank = blank;
        }
        return shrunk.toString();
    }
}
