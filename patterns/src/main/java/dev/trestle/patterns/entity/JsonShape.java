package dev.trestle.patterns.entity;

import java.lang.reflect.Type;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A codec between values and JSON trees: maps, lists, strings, numbers, booleans and null. */
interface JsonShape {
    @Nullable
    Object toJson(@Nullable Object value);

    @Nullable
    Object fromJson(@Nullable Object json);

    record AsIs() implements JsonShape {
        @Override
        public @Nullable Object toJson(@Nullable Object value) {
            return value;
        }

        @Override
        public @Nullable Object fromJson(@Nullable Object json) {
            return json;
        }
    }

    record Scalar(Codec codec) implements JsonShape {
        @Override
        public @Nullable Object toJson(@Nullable Object value) {
            if (value == null) {
                return null;
            }
            Object stored = codec.toStored(value);
            if (stored instanceof byte[] bytes) {
                return Base64.getEncoder().encodeToString(bytes);
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
                return Instant.parse(text).atOffset(ZoneOffset.UTC);
            } else if (type == byte[].class) {
                return Base64.getDecoder().decode(text);
            }
            return json;
        }
    }

    record ListShape(JsonShape element, boolean set) implements JsonShape {
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

    record OptionalShape(JsonShape content) implements JsonShape {
        @Override
        public @Nullable Object toJson(@Nullable Object value) {
            return value == null ? null : content.toJson(((Optional<?>) value).orElse(null));
        }

        @Override
        public Object fromJson(@Nullable Object json) {
            return Optional.ofNullable(content.fromJson(json));
        }
    }

    record MapShape(JsonShape element) implements JsonShape {
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

    record ObjectShape(ClassShape shape, List<JsonShape> parts) implements JsonShape {
        static ObjectShape of(Class<?> type, Problems problems, String member, List<Type> path) {
            ClassShape shape = ClassShape.of(type, problems);
            List<JsonShape> parts = shape.members().stream()
                    .map(part -> JsonShapes.shape(part.type(), problems, member + "." + part.name(), path))
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
                values[i] = value == null ? member.absentValue() : value;
            }
            return shape.create(values);
        }
    }
}
