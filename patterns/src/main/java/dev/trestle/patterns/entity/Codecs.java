package dev.trestle.patterns.entity;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** The catalogue of codecs. Types without a counterpart on the service are stored as strings, nested values as JSON. */
final class Codecs {
    private static final Map<Class<?>, Codec> SIMPLE = new HashMap<>();

    static {
        same(String.class);
        same(Boolean.class);
        same(Integer.class);
        same(Long.class);
        same(Double.class);
        same(UUID.class);
        same(byte[].class);
        put(Short.class, Codec.of(Integer.class, Short::intValue, Integer::shortValue));
        put(Byte.class, Codec.of(Integer.class, Byte::intValue, Integer::byteValue));
        put(Float.class, Codec.of(Double.class, Float::doubleValue, Double::floatValue));
        put(
                Instant.class,
                Codec.of(OffsetDateTime.class, (Instant i) -> i.atOffset(ZoneOffset.UTC), t -> t.toInstant()));
        put(OffsetDateTime.class, Codec.of(OffsetDateTime.class, Codecs::inUtc, Codecs::inUtc));
        put(
                ZonedDateTime.class,
                Codec.of(
                        OffsetDateTime.class,
                        (ZonedDateTime z) -> inUtc(z.toOffsetDateTime()),
                        t -> t.atZoneSameInstant(ZoneOffset.UTC)));
        text(Character.class, text -> text.charAt(0));
        text(BigDecimal.class, BigDecimal::new);
        text(BigInteger.class, BigInteger::new);
        text(LocalDate.class, LocalDate::parse);
        text(LocalTime.class, LocalTime::parse);
        text(LocalDateTime.class, LocalDateTime::parse);
        text(Year.class, Year::parse);
        text(YearMonth.class, YearMonth::parse);
        text(Duration.class, Duration::parse);
        text(Period.class, Period::parse);
        SIMPLE.put(boolean.class, SIMPLE.get(Boolean.class));
        SIMPLE.put(int.class, SIMPLE.get(Integer.class));
        SIMPLE.put(long.class, SIMPLE.get(Long.class));
        SIMPLE.put(double.class, SIMPLE.get(Double.class));
        SIMPLE.put(short.class, SIMPLE.get(Short.class));
        SIMPLE.put(byte.class, SIMPLE.get(Byte.class));
        SIMPLE.put(float.class, SIMPLE.get(Float.class));
        SIMPLE.put(char.class, SIMPLE.get(Character.class));
    }

    private Codecs() {}

    private static <S> void same(Class<S> type) {
        put(type, Codec.of(type, Function.<S>identity(), Function.<S>identity()));
    }

    private static <V> void text(Class<V> type, Function<String, V> parse) {
        put(type, Codec.of(String.class, Object::toString, parse));
    }

    private static void put(Class<?> type, Codec codec) {
        SIMPLE.put(type, codec);
    }

    private static OffsetDateTime inUtc(OffsetDateTime time) {
        return time.withOffsetSameInstant(ZoneOffset.UTC);
    }

    /** Returns the codec of a simple type; empty for nested types such as records and collections. */
    static Optional<Codec> simple(Class<?> type) {
        if (type.isEnum()) {
            return Optional.of(ofEnum(type));
        }
        return Optional.ofNullable(SIMPLE.get(type));
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // The enum type is known only at run time.
    private static Codec ofEnum(Class<?> type) {
        return Codec.of(String.class, (Enum value) -> value.name(), name -> Enum.valueOf((Class) type, name));
    }

    /** Returns the codec of a type, which the caller has unwrapped from {@code Optional}. */
    static Codec of(Type type, Problems problems, String member) {
        if (type instanceof Class<?> known) {
            Optional<Codec> simple = simple(known);
            if (simple.isPresent()) {
                return simple.get();
            }
        }
        return JsonShapes.codec(type, problems, member);
    }

    /** Returns {@code X} for {@code Optional<X>}, or the type itself. */
    static Type unwrapped(Type type) {
        if (type instanceof ParameterizedType generic && generic.getRawType() == Optional.class) {
            return generic.getActualTypeArguments()[0];
        }
        return type;
    }
}
