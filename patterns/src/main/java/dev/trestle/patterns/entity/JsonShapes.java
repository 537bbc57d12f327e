package dev.trestle.patterns.entity;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Nested values as JSON: records, plain classes, lists, sets, maps from strings, optionals, and the simple types inside of
 * them. A shape is worked out once, when an entity is defined; numbers too long for JSON and times become strings.
 */
final class JsonShapes {
    private JsonShapes() {}

    /** Turns a value into what JSON knows (maps, lists, strings, numbers, booleans, null) and back. */
    interface Shape {
        @Nullable
        Object toJson(@Nullable Object value);

        @Nullable
        Object fromJson(@Nullable Object json);
    }

    static Codec codec(Type type, Complaints complaints, String member) {
        Shape shape = shape(type, complaints, member, new ArrayList<>());
        return new Codec(String.class, true, value -> write(shape.toJson(value)), text -> read(shape, (String) text));
    }

    private static String write(@Nullable Object json) {
        StringWriter text = new StringWriter();
        try (JsonWriter writer = JsonProviders.createWriter(text)) {
            writer.writeUntyped(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static Object read(Shape shape, String text) {
        try (JsonReader reader = JsonProviders.createReader(text)) {
            Object value = shape.fromJson(reader.readUntyped());
            if (value == null) {
                throw new IllegalArgumentException("the stored JSON is null");
            }
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Shape shape(Type type, Complaints complaints, String member, List<Type> outer) {
        if (outer.contains(type)) {
            complaints.add(member + " contains itself (" + type.getTypeName() + "): give it a @Converted of its own");
            throw complaints.exception();
        }
        List<Type> path = new ArrayList<>(outer);
        path.add(type);
        if (type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
            Type[] arguments = generic.getActualTypeArguments();
            Shape last = shape(arguments[arguments.length - 1], complaints, member, path);
            if (raw == List.class || raw == Iterable.class || raw == java.util.Collection.class) {
                return new ListShape(last, false);
            } else if (raw == Set.class) {
                return new ListShape(last, true);
            } else if (raw == Optional.class) {
                return new OptionalShape(last);
            } else if (raw == Map.class && arguments[0] == String.class) {
                return new MapShape(last);
            }
        } else if (type == Object.class) {
            return new AsIs();
        } else if (type instanceof Class<?> known) {
            Optional<Codec> simple = Codecs.simple(known);
            if (simple.isPresent()) {
                return new Scalar(simple.get());
            } else if (isOfTheApplication(known)) {
                return ObjectShape.of(known, complaints, member, path);
            }
        }
        complaints.add(
                member + " is of type " + type.getTypeName()
                        + ", which cannot be stored: use a simple type, a record, a List, Set or Map<String, ...> of such, or @Converted");
        throw complaints.exception();
    }

    private static boolean isOfTheApplication(Class<?> type) {
        return !type.isInterface()
                && !type.isArray()
                && !type.isPrimitive()
                && !type.getName().startsWith("java.");
    }

    private record AsIs() implements Shape {
        @Override
        public @Nullable Object toJson(@Nullable Object value) {
            return value;
        }

        @Override
        public @Nullable Object fromJson(@Nullable Object json) {
            return json;
        }
    }

    private record Scalar(Codec codec) implements Shape {
        @Override
        public @Nullable Object toJson(@Nullable Object value) {
            if (value == null) {
                return null;
            }
            Object stored = codec.toStored(value);
            if (stored instanceof byte[] bytes) {
                return java.util.Base64.getEncoder().encodeToString(bytes);
            }
            boolean known = stored instanceof Integer || stored instanceof Boolean || isFinite(stored);
            return known ? stored : stored.toString();
        }

        private static boolean isFinite(Object stored) {
            return stored instanceof Double number && Double.isFinite(number);
        }

        @Override
        public @Nullable Object fromJson(@Nullable Object json) {
            return json == null ? null : codec.fromStored(stored(json));
        }

        private Object stored(Object json) {
            Class<?> type = codec.storedType();
            String text = json.toString();
            if (type == Long.class) {
                return Long.valueOf(text);
            } else if (type == Double.class) {
                return Double.valueOf(text);
            } else if (type == UUID.class) {
                return UUID.fromString(text);
            } else if (type == OffsetDateTime.class) {
                return Instant.parse(text).atOffset(java.time.ZoneOffset.UTC);
            } else if (type == byte[].class) {
                return java.util.Base64.getDecoder().decode(text);
            }
            return json;
        }
    }

    private record ListShape(Shape element, boolean set) implements Shape {
        @Override
        public @Nullable Object toJson(@Nullable Object value) {
            if (value == null) {
                return null;
            }
            List<@Nullable Object> json = new ArrayList<>();
            ((Iterable<?>) value).forEach(item -> json.add(element.toJson(item)));
            return json;
        }

        @Override
        public @Nullable Object fromJson(@Nullable Object json) {
            if (json == null) {
                return null;
            }
            List<@Nullable Object> values = new ArrayList<>();
            ((List<?>) json).forEach(item -> values.add(element.fromJson(item)));
            return set ? new LinkedHashSet<>(values) : values;
        }
    }

    private record OptionalShape(Shape content) implements Shape {
        @Override
        public @Nullable Object toJson(@Nullable Object value) {
            return value == null ? null : content.toJson(((Optional<?>) value).orElse(null));
        }

        @Override
        public Object fromJson(@Nullable Object json) {
            return Optional.ofNullable(content.fromJson(json));
        }
    }

    private record MapShape(Shape element) implements Shape {
        @Override
        public @Nullable Object toJson(@Nullable Object value) {
            if (value == null) {
                return null;
            }
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            ((Map<?, ?>) value).forEach((name, item) -> json.put((String) name, element.toJson(item)));
            return json;
        }

        @Override
        public @Nullable Object fromJson(@Nullable Object json) {
            if (json == null) {
                return null;
            }
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            ((Map<?, ?>) json).forEach((name, item) -> values.put((String) name, element.fromJson(item)));
            return values;
        }
    }

    private record ObjectShape(ClassShape shape, List<Shape> parts) implements Shape {
        static ObjectShape of(Class<?> type, Complaints complaints, String member, List<Type> path) {
            ClassShape shape = ClassShape.of(type, complaints);
            List<Shape> parts = shape.members().stream()
                    .map(part -> JsonShapes.shape(part.type(), complaints, member + "." + part.name(), path))
                    .toList();
            return new ObjectShape(shape, parts);
        }

        @Override
        public @Nullable Object toJson(@Nullable Object value) {
            if (value == null) {
                return null;
            }
            Map<String, Object> json = new LinkedHashMap<>();
            for (int i = 0; i < parts.size(); i++) {
                Member member = shape.members().get(i);
                Object part = parts.get(i).toJson(member.read(value));
                if (part != null) {
                    json.put(member.name(), part);
                }
            }
            return json;
        }

        @Override
        public @Nullable Object fromJson(@Nullable Object json) {
            if (json == null) {
                return null;
            }
            @Nullable Object[] values = new @Nullable Object[parts.size()];
            for (int i = 0; i < values.length; i++) {
                Member member = shape.members().get(i);
                Object value = parts.get(i).fromJson(((Map<?, ?>) json).get(member.name()));
                values[i] = value == null ? member.nothing() : value;
            }
            return shape.create(values);
        }
    }
}
