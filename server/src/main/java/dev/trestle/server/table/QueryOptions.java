package dev.trestle.server.table;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.pipeline.Request;
import dev.trestle.table.EntityQuery.Continuation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Parses the OData options of a query and checks content types. */
final class QueryOptions {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private static final List<String> UNSUPPORTED =
            List.of("$skip", "$orderby", "$count", "$expand", "$inlinecount", "$apply", "$search", "$skiptoken");

    private QueryOptions() {}

    /** Rejects options that would change the result but are not supported. */
    static void refuseUnsupported(Request request) {
        for (String option : UNSUPPORTED) {
            if (request.query(option).isPresent()) {
                throw new StorageException(StorageError.NOT_IMPLEMENTED);
            }
        }
    }

    static int top(Request request) {
        Optional<String> text = request.query("$top").filter(value -> !value.isEmpty());
        if (text.isEmpty()) {
            return Limits.PAGE_ROWS_MAX;
        }
        try {
            int top = Integer.parseInt(text.get());
            if (top >= 0 && top <= Limits.PAGE_ROWS_MAX) {
                return top;
            }
        } catch (NumberFormatException e) {
            throw new StorageException(StorageError.INVALID_INPUT);
        }
        throw new StorageException(StorageError.INVALID_INPUT);
    }

    /** Returns the selected properties; empty selects all, as {@code *} does. */
    static List<String> select(Request request) {
        String text = request.query("$select").orElse("");
        if (text.isEmpty()) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String name = part.strip();
            if (name.equals("*")) {
                return List.of();
            }
            if (!name.isEmpty() && !names.contains(name)) {
                names.add(name);
            }
            if (names.size() > Limits.SELECT_NAMES_MAX) {
                throw new StorageException(StorageError.INVALID_INPUT);
            }
        }
        return names;
    }

    /**
     * Returns the selection as the service echoes it in a URL: with its spaces and repetitions, percent-encoded
     * except for the characters of URLs.
     */
    static String selectText(Request request) {
        String text = request.query("$select").orElse("");
        if (text.chars().allMatch(QueryOptions::isUrlCharacter)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (isUrlCharacter(octet)) {
                escaped.append((char) octet);
            } else {
                escaped.append('%').append(HEX.toHexDigits(octet));
            }
        }
        return escaped.toString();
    }

    private static boolean isUrlCharacter(int c) {
        return (c >= '0' && c <= '9')
                || (c >= 'A' && c <= 'Z')
                || (c >= 'a' && c <= 'z')
                || (c > ' ' && c < 0x7F && "-._~:/?#[]@!$&'()*+,;=".indexOf(c) >= 0);
    }

    static Optional<Continuation> continuation(Request request) {
        Optional<String> partitionKey = request.query("NextPartitionKey").map(ContinuationToken::decode);
        Optional<String> rowKey =
                request.query("NextRowKey").filter(token -> !token.isEmpty()).map(ContinuationToken::decode);
        if (partitionKey.isEmpty() && rowKey.isPresent()) {
            throw new StorageException(StorageError.INVALID_INPUT);
        }
        return partitionKey.map(key -> new Continuation(key, rowKey));
    }

    /** Checks that a body is JSON; without a content type it counts as JSON. Atom has an error of its own. */
    static void checkJsonBody(Optional<String> contentType) {
        String type = contentType.orElse("application/json").toLowerCase(Locale.ROOT);
        if (type.contains("odata=verbose")) {
            throw new StorageException(StorageError.JSON_VERBOSE_FORMAT_NOT_SUPPORTED);
        }
        if (type.startsWith("application/json")) {
            return;
        }
        throw new StorageException(
                type.contains("xml") ? StorageError.ATOM_FORMAT_NOT_SUPPORTED : StorageError.MEDIA_TYPE_NOT_SUPPORTED);
    }
}
