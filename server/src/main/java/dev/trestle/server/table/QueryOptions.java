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

/** The OData options of a query, and what goes for bodies in OData. */
final class QueryOptions {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private static final List<String> UNSUPPORTED =
            List.of("$skip", "$orderby", "$count", "$expand", "$inlinecount", "$apply", "$search", "$skiptoken");

    private QueryOptions() {}

    /** Options that would change the answer must not be passed over in silence. */
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

    /** The properties selected, all when empty; {@code *} selects all. */
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
     * The selection as the service repeats it in an address: with all its spaces and repetitions, and with what cannot stand
     * in an address percent-encoded. Commas are never encoded, however they came.
     */
    static String selectText(Request request) {
        String text = request.query("$select").orElse("");
        if (text.chars().allMatch(QueryOptions::isAddressCharacter)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (isAddressCharacter(octet)) {
                escaped.append((char) octet);
            } else {
                escaped.append('%').append(HEX.toHexDigits(octet));
            }
        }
        return escaped.toString();
    }

    private static boolean isAddressCharacter(int c) {
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

    /** A body of data is JSON; a client that sends Atom is told so, one that says nothing is believed. */
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
