package dev.trestle.patterns.entity;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates JSON codecs of nested types: records, plain classes, lists, sets, maps from strings, optionals, and the simple types in
 * them. Shapes are computed once per mapping. Numbers too long for JSON, and times, become strings.
 */
final class JsonShapes {
    private JsonShapes() {}

    static Codec codec(Type type, Problems problems, String member) {
        JsonShape shape = shape(type, problems, member, new ArrayList<>());
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

    private static Object read(JsonShape shape, String text) {
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

    static JsonShape shape(Type type, Problems problems, String member, List<Type> outer) {
        if (outer.contains(type)) {
            problems.add(member + " contains itself (" + type.getTypeName() + "): use @Converted");
            throw problems.exception();
        }
        List<Type> path = new ArrayList<>(outer);
        path.add(type);
        if (type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
            Type[] arguments = generic.getActualTypeArguments();
            JsonShape last = shape(arguments[arguments.length - 1], problems, member, path);
            if (raw == List.class || raw == Iterable.class || raw == Collection.class) {
                return new JsonShape.ListShape(last, false);
            } else if (raw == Set.class) {
                return new JsonShape.ListShape(last, true);
            } else if (raw == Optional.class) {
                return new JsonShape.OptionalShape(last);
            } else if (raw == Map.class && arguments[0] == String.class) {
                return new JsonShape.MapShape(last);
            }
        } else if (type == Object.class) {
            return new JsonShape.AsIs();
        } else if (type instanceof Class<?> known) {
            Optional<Codec> simple = Codecs.simple(known);
            if (simple.isPresent()) {
                return new JsonShape.Scalar(simple.get());
            } else if (isApplicationClass(known)) {
                return JsonShape.ObjectShape.of(known, problems, member, path);
            }
        }
        problems.add(member + " is of type " + type.getTypeName()
                + ", which cannot be stored: use a simple type, a record, a List, Set or Map<String, ...> of"
                + " these, or @Converted");
        throw problems.exception();
    }

    private static boolean isApplicationClass(Class<?> type) {
        return !type.isInterface()
                && !type.isArray()
                && !type.isPrimitive()
                && !type.getName().startsWith("java.");
    }
}
