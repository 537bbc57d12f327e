package dev.trestle.server.codec;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** The decoded parameters of a query string, in order. Of a repeated name, {@link #find} returns the first value. */
public final class QueryParameters {
    public static final QueryParameters NONE = new QueryParameters(List.of());

    private record Parameter(String name, String value) {}

    private final List<Parameter> parameters;

    private QueryParameters(List<Parameter> parameters) {
        this.parameters = parameters;
    }

    /** Parses the part of a request target after the question mark. A plus sign stands for a space. */
    public static QueryParameters parse(String rawQuery) {
        if (rawQuery.isEmpty()) {
            return NONE;
        }
        List<Parameter> parameters = new ArrayList<>();
        int start = 0;
        while (start <= rawQuery.length()) {
            int end = rawQuery.indexOf('&', start);
            if (end < 0) {
                end = rawQuery.length();
            }
            if (end > start) {
                String pair = rawQuery.substring(start, end);
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                parameters.add(new Parameter(decode(name, true), decode(value, true)));
            }
            start = end + 1;
        }
        return new QueryParameters(parameters);
    }

    public Optional<String> find(String name) {
        for (Parameter parameter : parameters) {
            if (parameter.name.equals(name)) {
                return Optional.of(parameter.value);
            }
        }
        return Optional.empty();
    }

    /** Passes every parameter to the action, repeated names included. */
    public void forEach(BiConsumer<String, String> action) {
        for (Parameter parameter : parameters) {
            action.accept(parameter.name, parameter.value);
        }
    }

    /** Returns one of these names that occurs more than once, if there is one. */
    public Optional<String> repeated(Set<String> names) {
        Set<String> seen = new HashSet<>();
        return parameters.stream()
                .map(Parameter::name)
                .filter(name -> names.contains(name) && !seen.add(name))
                .findFirst();
    }

    public boolean has(String name) {
        return find(name).isPresent();
    }

    /**
     * Percent-decodes strict UTF-8; malformed input is the client's error. Characters that should have been encoded
     * stand for their bytes.
     */
    public static String decode(String text, boolean plusIsSpace) {
        if (text.indexOf('%') < 0 && isAscii(text)) {
            return plusIsSpace ? text.replace('+', ' ') : text;
        }
        byte[] raw = text.getBytes(StandardCharsets.ISO_8859_1);
        byte[] bytes = new byte[raw.length];
        int length = 0;
        for (int i = 0; i < raw.length; i++) {
            byte c = raw[i];
            if (c == '%') {
                int high = i + 2 <= raw.length - 1 ? Character.digit(raw[i + 1], 16) : -1;
                int low = i + 2 <= raw.length - 1 ? Character.digit(raw[i + 2], 16) : -1;
                if (high < 0 || low < 0) {
                    throw new StorageException(StorageError.REQUEST_URL_FAILED_TO_PARSE);
                }
                bytes[length++] = (byte) (high << 4 | low);
                i += 2;
            } else {
                bytes[length++] = plusIsSpace && c == '+' ? (byte) ' ' : c;
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new StorageException(StorageError.REQUEST_URL_FAILED_TO_PARSE);
        }
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }
}
