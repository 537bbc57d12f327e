package dev.trestle.server.table.json;

import dev.trestle.keyspace.Cesu8;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Parses an entity from OData JSON in two steps, because the service reports errors in two places. {@link #read}
 * parses the text and converts each value to its type; {@link #row} then checks names and sizes and encodes the
 * row. A type annotation may precede or follow its value, so values are kept until the object ends: strings as
 * ranges of bytes, numbers as bits. Most values never become objects.
 */
public final class EntityReader {
    private static final String TIMESTAMP = "Timestamp";
    private static final int SEARCHED_MEMBERS_MAX = 24;
    private static final int EXPECTED_MEMBERS = 16;
    private static final byte[] NOTHING = {};

    /** A number with fewer characters fits in a long. */
    private static final int LONG_BYTES_SAFE = 19;

    private static final DateTimeFormatter OUT_OF_RANGE_TIME =
            DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** A member: first in its JSON form, then converted to the form in which it is stored. */
    private static final class Member {
        final FieldName name;
        boolean given;

        @Nullable
        EdmType declared;

        /** Absent for null. An integer beyond Int32 is an Int64 until it is converted. */
        @Nullable
        EdmType type;

        /** The value as a number; of a GUID the first half. */
        long bits;

        long lowBits;

        /** The array with the string or binary, encoded as stored. */
        byte[] source = NOTHING;

        int offset;
        int length;

        Member(FieldName name) {
            this.name = name;
        }
    }

    /** A string for parsers that expect ASCII; other bytes match nothing that they accept. */
    private record Ascii(byte[] source, int offset, int length) implements CharSequence {
        @Override
        public char charAt(int index) {
            return (char) (source[offset + index] & 0xFF);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Ascii(source, offset + start, end - start);
        }

        @Override
        public String toString() {
            return new String(source, offset, length, StandardCharsets.ISO_8859_1);
        }
    }

    private final List<Member> members = new ArrayList<>(EXPECTED_MEMBERS);

    /** Members by name, if there are too many for a linear search. */
    private final Map<String, Member> byName = new HashMap<>(0);

    /** A bit set of name hashes, to detect new names without a search. */
    private long nameBits;

    private boolean duplicate;

    private EntityReader() {}

    /**
     * Parses the body; an empty one is an entity without properties. The array must not change while the result is in
     * use.
     */
    public static EntityReader read(byte[] body, int offset, int length) {
        EntityReader entity = new EntityReader();
        if (isBlank(body, offset, length)) {
            return entity;
        }
        try {
            FieldName.Cache names = FieldName.cache();
            JsonReader json = new JsonReader(body, offset, length);
            while (json.next()) {
                entity.member(names.find(json.source(), json.offset(), json.length()), json);
            }
        } catch (JsonReader.Malformed e) {
            throw malformed();
        }
        for (Member member : entity.members) {
            // Timestamp is ignored, even if it is out of range.
            if (member.type != null && !member.name.property().equals(TIMESTAMP)) {
                convert(member, member.type);
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

    private void member(FieldName name, JsonReader json) throws JsonReader.Malformed {
        switch (name.kind()) {
            case TYPE -> {
                require(json.value() == JsonReader.Token.TEXT);
                member(name).declared = EdmType.ofWireName(
                                new Ascii(json.source(), json.offset(), json.length()).toString())
                        .orElseThrow(EntityReader::malformed);
            }
            case CONTROL -> json.skip();
            case PROPERTY -> {
                Member member = member(name);
                duplicate |= member.given;
                member.given = true;
                member.type = value(json.value(), json, member);
                // The service declares keys as strings, so any other value is malformed.
                require(member.type == null || member.type == EdmType.STRING || !isKey(name));
            }
        }
    }

    private Member member(FieldName name) {
        Member member = find(name.property());
        if (member == null) {
            member = new Member(name);
            members.add(member);
            nameBits |= 1L << name.property().hashCode();
            if (members.size() > SEARCHED_MEMBERS_MAX) {
                for (int i = byName.size(); i < members.size(); i++) {
                    byName.put(members.get(i).name.property(), members.get(i));
                }
            }
        }
        return member;
    }

    private @Nullable Member find(String property) {
        if ((nameBits & 1L << property.hashCode()) == 0) {
            return null;
        }
        if (members.size() > SEARCHED_MEMBERS_MAX) {
            return byName.get(property);
        }
        // Backwards, because a value and its annotation are adjacent.
        for (int i = members.size() - 1; i >= 0; i--) {
            if (members.get(i).name.property().equals(property)) {
                return members.get(i);
            }
        }
        return null;
    }

    /** Stores the value in the member and returns the type of its JSON form. */
    private static @Nullable EdmType value(JsonReader.Token token, JsonReader json, Member member) {
        switch (token) {
            case TEXT -> {
                member.source = json.source();
                member.offset = json.offset();
                member.length = json.length();
                return EdmType.STRING;
            }
            case INTEGER -> {
                return integer(new Ascii(json.source(), json.offset(), json.length()), member);
            }
            case REAL -> {
                member.bits = bits(Decimal.parse(json.source(), json.offset(), json.length()));
                return EdmType.DOUBLE;
            }
            case TRUE, FALSE -> {
                member.bits = token == JsonReader.Token.TRUE ? 1 : 0;
                return EdmType.BOOLEAN;
            }
            case NULL -> {
                return null;
            }
        }
        throw new AssertionError(token);
    }

    private static EdmType integer(Ascii digits, Member member) {
        if (digits.length() < LONG_BYTES_SAFE) {
            member.bits = Long.parseLong(digits, 0, digits.length(), 10);
        } else {
            BigInteger number = new BigInteger(digits.toString());
            if (number.bitLength() >= Long.SIZE) {
                member.bits = bits(number.doubleValue());
                return EdmType.DOUBLE;
            }
            member.bits = number.longValue();
        }
        return member.bits == (int) member.bits ? EdmType.INT32 : EdmType.INT64;
    }

    /** Returns the bits of a finite double. */
    private static long bits(double value) {
        if (Double.isInfinite(value)) {
            throw malformed();
        }
        return Double.doubleToLongBits(value);
    }

    /** Converts the value from the type of its JSON form to its declared type. */
    private static void convert(Member member, EdmType read) {
        EdmType declared = member.declared;
        if (declared == null) {
            if (read == EdmType.INT64) {
                // Without a declared type, an integer beyond Int32 is a Double, as in the service.
                member.bits = Double.doubleToLongBits((double) member.bits);
                member.type = EdmType.DOUBLE;
            }
            return;
        }
        boolean text = read == EdmType.STRING;
        switch (declared) {
            case STRING -> require(text);
            case INT32 -> {
                if (text) {
                    member.bits = integer(member);
                    require(member.bits == (int) member.bits);
                } else {
                    require(read == EdmType.INT32);
                }
            }
            case INT64 -> {
                if (text) {
                    member.bits = integer(member);
                } else {
                    require(read == EdmType.INT32 || read == EdmType.INT64);
                }
            }
            case DOUBLE -> member.bits = text ? real(ascii(member).toString()) : real(member.bits, read);
            case BOOLEAN -> {
                if (text) {
                    member.bits = bool(ascii(member).toString()) ? 1 : 0;
                } else {
                    require(read == EdmType.BOOLEAN);
                }
            }
            case DATE_TIME -> {
                require(text);
                member.bits = time(member.name.property(), ascii(member));
            }
            case GUID -> {
                require(text);
                EdmValue.Guid guid = GuidText.parse(ascii(member)).orElseThrow(EntityReader::malformed);
                member.bits = guid.high();
                member.lowBits = guid.low();
            }
            case BINARY -> {
                require(text);
                binary(member);
            }
        }
        member.type = declared;
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw malformed();
        }
    }

    private static Ascii ascii(Member member) {
        return new Ascii(member.source, member.offset, member.length);
    }

    /** Parses the string as a 64-bit integer. Only ASCII digits are accepted, unlike in Java's own parser. */
    private static long integer(Member member) {
        byte[] text = member.source;
        int p = member.offset;
        int end = p + member.length;
        boolean negative = p < end && text[p] == '-';
        if (negative || (p < end && text[p] == '+')) {
            p++;
        }
        require(p < end);
        // Negative, because the range has one more negative number.
        long value = 0;
        for (; p < end; p++) {
            int digit = text[p] - '0';
            require(digit >= 0 && digit <= 9);
            require(value > Long.MIN_VALUE / 10 || (value == Long.MIN_VALUE / 10 && digit <= 8));
            value = value * 10 - digit;
        }
        require(negative || value != Long.MIN_VALUE);
        return negative ? value : -value;
    }

    private static long real(long bits, EdmType read) {
        return switch (read) {
            case DOUBLE -> bits;
            case INT32, INT64 -> Double.doubleToLongBits((double) bits);
            default -> throw malformed();
        };
    }

    private static long real(String text) {
        return switch (text) {
            case "NaN" -> Double.doubleToLongBits(Double.NaN);
            case "Infinity", "INF" -> Double.doubleToLongBits(Double.POSITIVE_INFINITY);
            case "-Infinity", "-INF" -> Double.doubleToLongBits(Double.NEGATIVE_INFINITY);
            default -> {
                // Java also accepts hexadecimal numbers, the suffixes d and f, and surrounding spaces.
                require(text.chars().allMatch(c -> "0123456789+-.eE".indexOf(c) >= 0));
                try {
                    yield bits(Double.parseDouble(text));
                } catch (NumberFormatException e) {
                    throw malformed();
                }
            }
        };
    }

    private static boolean bool(String text) {
        return switch (text) {
            case "true", "True", "1" -> true;
            case "false", "False", "0" -> false;
            default -> throw malformed();
        };
    }

    private static long time(String name, CharSequence text) {
        long ticks = Ticks.parse(text).orElseThrow(EntityReader::malformed);
        if (ticks < 0 || ticks > Ticks.MAX) {
            throw new StorageException(
                    StorageError.OUT_OF_RANGE_INPUT,
                    "The '" + name + "' parameter of value '" + OUT_OF_RANGE_TIME.format(Ticks.toInstant(ticks))
                            + "' is out of range.");
        }
        return ticks;
    }

    private static void binary(Member member) {
        byte[] encoded = Arrays.copyOfRange(member.source, member.offset, member.offset + member.length);
        try {
            member.source = Base64.getDecoder().decode(encoded);
        } catch (IllegalArgumentException e) {
            throw malformed();
        }
        member.offset = 0;
        member.length = member.source.length;
    }

    public Optional<String> partitionKey() {
        return key("PartitionKey");
    }

    public Optional<String> rowKey() {
        return key("RowKey");
    }

    private Optional<String> key(String name) {
        return text(name, EntityReader::malformed);
    }

    private static boolean isKey(FieldName name) {
        return name.isSystem() && !name.property().equals("Timestamp");
    }

    /** Returns a string member; empty if it is missing or null. */
    public Optional<String> text(String name, Supplier<StorageException> otherwise) {
        Member member = find(name);
        if (member == null || member.type == null) {
            return Optional.empty();
        }
        if (member.type == EdmType.STRING) {
            return Optional.of(Cesu8.decode(member.source, member.offset, member.length));
        }
        throw otherwise.get();
    }

    /** Encodes the row: all properties with a value, except keys and Timestamp. */
    public byte[] row() {
        if (duplicate) {
            throw new StorageException(StorageError.DUPLICATE_PROPERTIES_SPECIFIED);
        }
        RowBuilder row = new RowBuilder();
        for (Member member : members) {
            if (!member.name.isSystem()) {
                append(row, member);
            }
        }
        return row.build();
    }

    private static void append(RowBuilder row, Member member) {
        byte[] name = member.name.encoded();
        EdmType type = member.type;
        if (type == null) {
            return;
        }
        switch (type) {
            case STRING -> {
                check(member.length <= Limits.STRING_UNITS_MAX
                        || Cesu8.units(member.source, member.offset, member.length) <= Limits.STRING_UNITS_MAX);
                row.bytes(name, type, member.source, member.offset, member.length);
            }
            case BINARY -> {
                check(member.length <= Limits.BINARY_BYTES_MAX);
                row.bytes(name, type, member.source, member.offset, member.length);
            }
            case INT32 -> row.int32(name, (int) member.bits);
            case INT64, DATE_TIME -> row.int64(name, type, member.bits);
            case DOUBLE -> row.real(name, Double.longBitsToDouble(member.bits));
            case BOOLEAN -> row.bool(name, member.bits != 0);
            case GUID -> row.guid(name, member.bits, member.lowBits);
        }
    }

    private static void check(boolean fits) {
        if (!fits) {
            throw new StorageException(StorageError.PROPERTY_VALUE_TOO_LARGE);
        }
    }
}
