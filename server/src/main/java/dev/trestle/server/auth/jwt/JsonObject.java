package dev.trestle.server.auth.jwt;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A small JSON object, parsed completely. A member of another type than requested counts as absent. Repeated names
 * make the object malformed, because parsers differ in which one they use.
 */
final class JsonObject {
    private static final int DEPTH_MAX = 8;
    private static final int NUMBER_CHARACTERS_MAX = 32;
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX)
                    .maxNumberLength(NUMBER_CHARACTERS_MAX)
                    .build())
            .build();

    /** Values are strings, whole numbers, lists and objects; others are omitted. */
    private final Map<String, Object> members = new HashMap<>();

    private JsonObject() {}

    /** Parses UTF-8 that contains the object and nothing else. */
    static JsonObject read(byte[] json) throws MalformedJsonException {
        try (JsonParser parser = FACTORY.createParser(decoded(json))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedJsonException();
            }
            JsonObject object = object(parser);
            if (parser.nextToken() != null) {
                throw new MalformedJsonException();
            }
            return object;
        } catch (IOException e) {
            throw new MalformedJsonException();
        }
    }

    private static String decoded(byte[] json) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString();
    }

    private static JsonObject object(JsonParser parser) throws IOException {
        JsonObject object = new JsonObject();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            value(parser).ifPresent(value -> object.members.put(name, value));
        }
        return object;
    }

    private static Optional<Object> value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> Optional.of(object(parser));
            case START_ARRAY -> Optional.of(list(parser));
            case VALUE_STRING -> Optional.of(parser.getText());
            // Times may have a fraction; the precision of a double is enough.
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Optional.of((long) parser.getDoubleValue());
            default -> Optional.empty();
        };
    }

    private static List<Object> list(JsonParser parser) throws IOException {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            value(parser).ifPresent(list::add);
        }
        return list;
    }

    boolean has(String name) {
        return members.containsKey(name);
    }

    Optional<String> text(String name) {
        return members.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    OptionalLong number(String name) {
        return members.get(name) instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
    }

    /** Returns the strings of a list, or a single string as a list. */
    List<String> texts(String name) {
        Object value = members.get(name);
        if (value instanceof String text) {
            return List.of(text);
        }
        return value instanceof List<?> list ? ofType(list, String.class) : List.of();
    }

    List<JsonObject> objects(String name) {
        return members.get(name) instanceof List<?> list ? ofType(list, JsonObject.class) : List.of();
    }

    private static <T> List<T> ofType(List<?> list, Class<T> type) {
        return list.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
