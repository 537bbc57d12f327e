package dev.trestle.patterns.entity;

import dev.trestle.patterns.entity.KeyFormat.Order;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import java.util.zip.CRC32;

/** The catalogue of key formats. */
final class KeyFormats {
    private static final String BUCKET = "bucket";

    private KeyFormats() {}

    /** Returns the format of a component, given the character that ends it in the key, or 0. */
    static KeyFormat find(String format, Attribute attribute, char end) {
        Codec codec = attribute.codec();
        Class<?> stored = codec.storedType();
        boolean number = stored == Integer.class || stored == Long.class;
        boolean text = stored == String.class && !codec.json();
        if (format.isEmpty()) {
            return unformatted(attribute);
        } else if (format.startsWith(BUCKET)) {
            return bucket(codec, format);
        } else if (number && format.matches("\\+?0+")) {
            return padded(codec, format);
        } else if (number && format.equals("plain")) {
            return new KeyFormat(0, Order.NONE, false, v -> codec.toStored(v).toString(), s -> number(codec, s));
        } else if (stored == OffsetDateTime.class && format.equals("ticks")) {
            return ticks(codec, Order.SAME, Ticks::format, Ticks::parse);
        } else if (stored == OffsetDateTime.class && format.equals("inverted")) {
            return ticks(codec, Order.REVERSED, InvertedTicks::format, InvertedTicks::parse);
        } else if (isTemporal(attribute)) {
            return pattern(attribute, format);
        } else if (text && format.equals("lower")) {
            return oneWay(v -> ((String) codec.toStored(v)).toLowerCase(Locale.ROOT));
        } else if (text && format.equals("upper")) {
            return oneWay(v -> ((String) codec.toStored(v)).toUpperCase(Locale.ROOT));
        } else if (text && format.equals("escaped")) {
            return new KeyFormat(
                    0,
                    Order.NONE,
                    false,
                    v -> KeyEscaping.escape((String) codec.toStored(v), end),
                    s -> codec.fromStored(KeyEscaping.unescape(s)));
        }
        throw new IllegalArgumentException("the format \"" + format + "\" does not apply to " + attribute.name()
                + ", which is stored as " + stored.getSimpleName());
    }

    private static KeyFormat unformatted(Attribute attribute) {
        Codec codec = attribute.codec();
        Class<?> stored = codec.storedType();
        if (stored == Integer.class || stored == Long.class) {
            throw new IllegalArgumentException(attribute.name() + " is a number and would sort as text: write {"
                    + attribute.name() + ":000000} with as many zeros as its maximum number of digits, or {"
                    + attribute.name() + ":plain} if its order does not matter");
        } else if (stored == OffsetDateTime.class) {
            throw new IllegalArgumentException(attribute.name() + " is a time: write {" + attribute.name()
                    + ":ticks} for oldest first or {" + attribute.name() + ":inverted} for newest first");
        } else if (stored == UUID.class) {
            return new KeyFormat(36, Order.NONE, false, Object::toString, s -> codec.fromStored(UUID.fromString(s)));
        } else if (stored == Boolean.class) {
            return new KeyFormat(0, Order.SAME, false, Object::toString, Boolean::valueOf);
        } else if (stored == String.class && !codec.json()) {
            boolean ordered = attribute.rawType() == String.class || attribute.rawType() == LocalDate.class;
            return new KeyFormat(
                    0,
                    ordered ? Order.SAME : Order.NONE,
                    isTemporal(attribute),
                    v -> (String) codec.toStored(v),
                    codec::fromStored);
        }
        throw new IllegalArgumentException(
                attribute.name() + " cannot be part of a key: convert it to a string with @Converted");
    }

    private static KeyFormat bucket(Codec codec, String format) {
        int buckets = Integer.parseInt(format.substring(BUCKET.length()));
        if (buckets < 2) {
            throw new IllegalArgumentException("\"" + format + "\" needs at least 2 buckets");
        }
        PaddedNumber padded =
                PaddedNumber.unsigned(Integer.toString(buckets - 1).length());
        return new KeyFormat(
                padded.digits(), Order.NONE, false, value -> padded.format(crc(codec, value) % buckets), null);
    }

    private static long crc(Codec codec, Object value) {
        CRC32 crc = new CRC32();
        crc.update(codec.toStored(value).toString().getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    private static KeyFormat padded(Codec codec, String format) {
        boolean signed = format.startsWith("+");
        PaddedNumber padded =
                signed ? PaddedNumber.signed(format.length() - 1) : PaddedNumber.unsigned(format.length());
        return new KeyFormat(
                padded.digits(),
                Order.SAME,
                false,
                v -> padded.format(((Number) codec.toStored(v)).longValue()),
                s -> codec.fromStored(narrowed(codec, padded.parse(s))));
    }

    private static Object number(Codec codec, String text) {
        return codec.fromStored(narrowed(codec, Long.parseLong(text)));
    }

    private static Object narrowed(Codec codec, long number) {
        if (codec.storedType() == Integer.class) {
            return Math.toIntExact(number);
        }
        return number;
    }

    private static KeyFormat ticks(
            Codec codec, Order order, Function<Instant, String> format, Function<String, Instant> parse) {
        return new KeyFormat(
                Ticks.DIGITS,
                order,
                true,
                v -> format.apply(((OffsetDateTime) codec.toStored(v)).toInstant()),
                s -> codec.fromStored(parse.apply(s).atOffset(ZoneOffset.UTC)));
    }

    private static boolean isTemporal(Attribute attribute) {
        return TemporalAccessor.class.isAssignableFrom(attribute.rawType());
    }

    /** A pattern loses information about times, so only complete dates can be parsed. */
    private static KeyFormat pattern(Attribute attribute, String pattern) {
        DateTimeFormatter formatter =
                DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
        Function<Object, String> format = v -> formatter.format((TemporalAccessor) v);
        boolean whole = attribute.rawType() == LocalDate.class && isWholeDate(formatter);
        return new KeyFormat(0, Order.NONE, true, format, whole ? text -> LocalDate.parse(text, formatter) : null);
    }

    private static boolean isWholeDate(DateTimeFormatter formatter) {
        LocalDate sample = LocalDate.of(2014, 8, 22);
        try {
            return LocalDate.parse(formatter.format(sample), formatter).equals(sample);
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static KeyFormat oneWay(Function<Object, String> format) {
        return new KeyFormat(0, Order.NONE, false, format, null);
    }
}
