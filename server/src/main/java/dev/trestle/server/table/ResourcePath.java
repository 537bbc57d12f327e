package dev.trestle.server.table;

import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.codec.QueryParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A path within an account, such as {@code /orders(PartitionKey='a',RowKey='1')}: the name of its first segment
 * and the key predicate in parentheses, if any. Of further segments only the number of keys is checked, as in the
 * service.
 *
 * @param predicate empty when there are no parentheses
 */
public record ResourcePath(String name, Optional<Predicate> predicate) {
    public static final ResourcePath ROOT = new ResourcePath("", Optional.empty());

    /** The key predicate in parentheses. */
    public sealed interface Predicate {}

    /** {@code ()}. */
    public record NoKeys() implements Predicate {}

    /** {@code ('orders')}. */
    public record OneKey(String value) implements Predicate {}

    /** {@code (PartitionKey='a',RowKey='1')}. */
    public record BothKeys(String partitionKey, String rowKey) implements Predicate {}

    /** Keys that are not those of an entity. */
    public record OtherKeys() implements Predicate {}

    /**
     * Parses a percent-encoded path that begins with a slash. It is decoded first, so an encoded slash is a
     * separator.
     */
    public static ResourcePath parse(String rawPath) {
        String path = QueryParameters.decode(rawPath, false);
        if (path.length() <= 1) {
            return ROOT;
        }
        int end = segmentEnd(path, 1);
        ResourcePath first = segment(path.substring(1, end));
        if (end >= path.length() - 1) {
            return first;
        }
        boolean keysFollow = path.indexOf('(', end) >= 0;
        return keysFollow ? new ResourcePath(first.name, Optional.of(new OtherKeys())) : first;
    }

    /** Returns the position of the next slash outside of quotes, or the end. */
    private static int segmentEnd(String path, int from) {
        boolean quoted = false;
        for (int i = from; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '\'') {
                quoted = !quoted;
            } else if (c == '/' && !quoted) {
                return i;
            }
        }
        return path.length();
    }

    private static ResourcePath segment(String text) {
        int open = text.indexOf('(');
        if (open < 0) {
            return new ResourcePath(text, Optional.empty());
        }
        if (!text.endsWith(")")) {
            throw invalid();
        }
        return new ResourcePath(
                text.substring(0, open), Optional.of(predicate(text.substring(open + 1, text.length() - 1))));
    }

    /** Parses {@code Name='literal'} pairs, or a single literal. */
    private static Predicate predicate(String text) {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        int at = skipSpaces(text, 0);
        if (at == text.length()) {
            return new NoKeys();
        }
        while (true) {
            int quote = text.indexOf('\'', at);
            if (quote < 0) {
                throw invalid();
            }
            String name = text.substring(at, quote).strip();
            if (name.endsWith("=")) {
                name = name.substring(0, name.length() - 1).strip();
            } else if (!name.isEmpty()) {
                throw invalid();
            }
            StringBuilder value = new StringBuilder();
            at = literal(text, quote, value);
            names.add(name);
            values.add(value.toString());
            at = skipSpaces(text, at);
            if (at == text.length()) {
                return predicate(names, values);
            }
            if (text.charAt(at) != ',') {
                throw invalid();
            }
            at = skipSpaces(text, at + 1);
        }
    }

    private static Predicate predicate(List<String> names, List<String> values) {
        int partition = names.indexOf("PartitionKey");
        int row = names.indexOf("RowKey");
        if (names.size() == 2 && partition >= 0 && row >= 0) {
            return new BothKeys(values.get(partition), values.get(row));
        }
        if (names.size() == 1 && names.get(0).isEmpty()) {
            return new OneKey(values.get(0));
        }
        return new OtherKeys();
    }

    /** Parses a quoted literal into {@code value} and returns the position after it. */
    private static int literal(String text, int quote, StringBuilder value) {
        int p = quote + 1;
        while (p < text.length()) {
            char c = text.charAt(p);
            if (c == '\'') {
                if (p + 1 >= text.length() || text.charAt(p + 1) != '\'') {
                    return p + 1;
                }
                p++;
            }
            value.append(c);
            p++;
        }
        throw invalid();
    }

    private static int skipSpaces(String text, int from) {
        int p = from;
        while (p < text.length() && text.charAt(p) == ' ') {
            p++;
        }
        return p;
    }

    /** Returns the key of an entity. */
    public EntityKey entityKey(String account) {
        if (predicate.isPresent() && predicate.get() instanceof BothKeys keys) {
            return new EntityKey(keys.partitionKey(), keys.rowKey());
        }
        throw new StorageException(
                StorageError.INVALID_INPUT,
                "The number of keys specified in the URI does not match number of key properties for the resource '"
                        + account + "." + name + "'.");
    }

    private static StorageException invalid() {
        return new StorageException(StorageError.INVALID_INPUT, "The resource path is not well formed.");
    }
}
