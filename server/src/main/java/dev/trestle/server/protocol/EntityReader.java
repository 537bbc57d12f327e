package dev.trestle.server.protocol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.io.IOException;
import java.math.BigInteger;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads an entity from OData JSON in two steps, because the service finds faults in two places: {@link #read} parses
 * the text and converts each value to its type, {@link #row} then checks names and sizes and encodes the row. A type
 * annotation may stand before or after the value it describes, so values are held until the object ends.
 */
public final class EntityReader {
    private static final String TIMESTAMP = "Timestamp";
    private static final String INTEGER = "0123456789+-";
    private static final int SEARCHED_MEMBERS_MAX = 24;
    private static final int NUMBER_UNITS_MAX = 1024;
    private static final DateTimeFormatter OUT_OF_RANGE_TIME =
            DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    static final JsonFactory JSON = JsonFactory.builder()
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(16)
                    .maxStringLength(Limits.BODY_BYTES_MAX)
                    .maxNameLength(Limits.BODY_BYTES_MAX)
                    .maxNumberLength(NUMBER_UNITS_MAX)
                    .build())
            .build();

    /** A member as it was read: a value of the Java type that its JSON form has, and the type it is declared to be. */
    private static final class Member {
        final FieldName name;

        @Nullable
        Object value;

        boolean given;

        @Nullable
        EdmType declared;

        Member(FieldName name) {
            this.name = name;
        }
    }

    private final List<Member> members = new ArrayList<>();

    /** Members by name, once there are too many to look through. */
    private final Map<String, Member> byName = new HashMap<>();

    private boolean duplicate;

    private EntityReader() {}

    /** Parses the body; an empty one is an entity without properties. */
    public static EntityReader read(byte[] body, int offset, int length) {
        EntityReader entity = new EntityReader();
        if (isBlank(body, offset, length)) {
            return entity;
        }
        try (JsonParser parser = JSON.createParser(body, offset, length)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw malformed();
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                entity.member(FieldName.of(parser.currentName()), parser);
            }
            if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
                throw malformed();
            }
        } catch (IOException e) {
            throw malformed();
        }
        for (Member member : entity.members) {
            // What a client says about Timestamp is ignored, even if it is no time that could be stored.
            if (member.value != null && !member.name.property().equals(TIMESTAMP)) {
                member.value = convert(member);
            }
        }
        return entity;
    }

    private static boolean isBlank(byte[] body, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (body[i] != ' ' && body[i] != '\r' && body[i] != '\n' && body[i] != '\t') {
                return false;
            }
        }
        return true;
    }

    static StorageException malformed() {
        return new StorageException(StorageError.INVALID_INPUT, "An error occurred while processing this request.");
    }

    private void member(FieldName name, JsonParser parser) throws IOException {
        JsonToken token = parser.nextToken();
        switch (name.kind()) {
            case TYPE -> {
                String declared = token == JsonToken.VALUE_STRING ? parser.getText() : "";
                member(name).declared = EdmType.ofWireName(declared).orElseThrow(EntityReader::malformed);
            }
            case CONTROL -> parser.skipChildren();
            case PROPERTY -> {
                Member member = member(name);
                duplicate |= member.given;
                member.given = true;
                member.value = value(token, parser);
            }
        }
    }

    private Member member(FieldName name) {
        Member known = find(name.property());
        if (known == null) {
            known = new Member(name);
            members.add(known);
            if (members.size() > SEARCHED_MEMBERS_MAX) {
                for (int i = byName.size(); i < members.size(); i++) {
                    byName.put(members.get(i).name.property(), members.get(i));
                }
            }
        }
        return known;
    }

    private @Nullable Member find(String property) {
        if (members.size() > SEARCHED_MEMBERS_MAX) {
            return byName.get(property);
        }
        // From the end: a value and its annotation stand together.
        for (int i = members.size() - 1; i >= 0; i--) {
            if (members.get(i).name.property().equals(property)) {
                return members.get(i);
            }
        }
        return null;
    }

    private static @Nullable Object value(@Nullable JsonToken token, JsonParser parser) throws IOException {
        if (token == null) {
            throw malformed();
        }
        return switch (token) {
            case VALUE_NULL -> null;
            case VALUE_STRING -> parser.getText();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NUMBER_INT -> integer(parser);
            case VALUE_NUMBER_FLOAT -> finite(parser.getDoubleValue());
            default -> throw malformed();
        };
    }

    private static Object integer(JsonParser parser) throws IOException {
        return switch (parser.getNumberType()) {
            case INT -> parser.getIntValue();
            case LONG -> parser.getLongValue();
            default -> finite(new java.math.BigDecimal(new BigInteger(parser.getText())).doubleValue());
        };
    }

    private static Double finite(double value) {
        if (Double.isInfinite(value)) {
            throw malformed();
        }
        return value;
    }

    /** The value in the Java type that stands for its EDM type: String, Integer, Long, Double, Boolean, ... */
    private static Object convert(Member member) {
        Object value = java.util.Objects.requireNonNull(member.value);
        if (member.declared == null) {
            // An integer too large for Int32 is a Double, as the service's own reader has it.
            return value instanceof Long number ? (Object) number.doubleValue() : value;
        }
        try {
            return switch (member.declared) {
                case STRING -> (String) value;
                case INT32 ->
                    value instanceof String text ? (Object) Integer.valueOf(only(INTEGER, text)) : (Integer) value;
                case INT64 ->
                    value instanceof String text
                            ? Long.valueOf(only(INTEGER, text))
                            : ((Number) exact(value)).longValue();
                case DOUBLE -> real(value);
                case BOOLEAN -> bool(value);
                case DATE_TIME -> time(member.name.property(), (String) value);
                case GUID -> GuidText.parse((String) value).orElseThrow(EntityReader::malformed);
                case BINARY -> Base64.getDecoder().decode((String) value);
            };
        } catch (ClassCastException | IllegalArgumentException e) {
            throw malformed();
        }
    }

    /** The text, of these characters alone: Java's own parsers read digits of every script. */
    private static String only(String characters, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (characters.indexOf(text.charAt(i)) < 0) {
                throw malformed();
            }
        }
        return text;
    }

    private static Object exact(Object value) {
        if (value instanceof Integer || value instanceof Long) {
            return value;
        }
        throw malformed();
    }

    private static Object real(Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        String text = (String) value;
        return switch (text) {
            case "NaN" -> Double.NaN;
            case "Infinity", "INF" -> Double.POSITIVE_INFINITY;
            case "-Infinity", "-INF" -> Double.NEGATIVE_INFINITY;
            default -> {
                // Java would also read a hexadecimal form, the suffixes d and f, and spaces around the number.
                yield finite(Double.parseDouble(only("0123456789+-.eE", text)));
            }
        };
    }

    private static Object bool(Object value) {
        if (value instanceof Boolean) {
            return value;
        }
        return switch ((String) value) {
            case "true", "True", "1" -> true;
            case "false", "False", "0" -> false;
            default -> throw malformed();
        };
    }

    /** A moment stands as the only Long among a row's values whose declared type is DateTime. */
    private static Object time(String name, String text) {
        OptionalLong ticks = Ticks.parse(text);
        if (ticks.isEmpty()) {
            throw malformed();
        }
        if (ticks.getAsLong() < 0 || ticks.getAsLong() > Ticks.MAX) {
            throw new StorageException(
                    StorageError.OUT_OF_RANGE_INPUT,
                    "The '" + name + "' parameter of value '"
                            + OUT_OF_RANGE_TIME.format(Ticks.toInstant(ticks.getAsLong())) + "' is out of range.");
        }
        return ticks.getAsLong();
    }

    public Optional<String> partitionKey() {
        return key("PartitionKey");
    }

    public Optional<String> rowKey() {
        return key("RowKey");
    }

    private Optional<String> key(String name) {
        return text(name, StorageError.PRIMARY_KEY_PROPERTY_IS_INVALID_TYPE);
    }

    /** A string member, or empty when it is missing or null. */
    public Optional<String> text(String name, StorageError otherwise) {
        Member member = find(name);
        if (member == null || member.value == null) {
            return Optional.empty();
        }
        if (member.value instanceof String text) {
            return Optional.of(text);
        }
        throw new StorageException(otherwise);
    }

    /** The encoded row: every property that has a value, apart from keys and Timestamp. */
    public byte[] row() {
        if (duplicate) {
            throw new StorageException(StorageError.DUPLICATE_PROPERTIES_SPECIFIED);
        }
        RowBuilder row = new RowBuilder();
        for (Member member : members) {
            switch (member.name.property()) {
                case "PartitionKey", "RowKey", TIMESTAMP -> {}
                default -> append(row, member);
            }
        }
        return row.build();
    }

    private static void append(RowBuilder row, Member member) {
        byte[] name = member.name.encoded();
        Object value = member.value;
        if (value == null) {
            return;
        }
        if (value instanceof String text) {
            if (text.length() > Limits.STRING_UNITS_MAX) {
                throw new StorageException(StorageError.PROPERTY_VALUE_TOO_LARGE);
            }
            row.text(name, text);
        } else if (value instanceof Integer number) {
            row.int32(name, number);
        } else if (value instanceof Boolean bool) {
            row.bool(name, bool);
        } else if (value instanceof Double number) {
            row.real(name, number);
        } else if (value instanceof Long number) {
            row.int64(name, member.declared == EdmType.DATE_TIME ? EdmType.DATE_TIME : EdmType.INT64, number);
        } else if (value instanceof EdmValue.Guid guid) {
            row.guid(name, guid.high(), guid.low());
        } else if (value instanceof byte[] bytes) {
            if (bytes.length > Limits.BINARY_BYTES_MAX) {
                throw new StorageException(StorageError.PROPERTY_VALUE_TOO_LARGE);
            }
            row.bytes(name, EdmType.BINARY, bytes, 0, bytes.length);
        } else {
            throw new AssertionError(value);
        }
    }
}
