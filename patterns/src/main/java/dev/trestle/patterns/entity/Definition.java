package dev.trestle.patterns.entity;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a class declares apart from its keys: its name and version, its attributes, and how to take an object apart and put
 * one together.
 */
record Definition<T>(
        Class<T> type,
        ClassShape shape,
        String name,
        int version,
        boolean recorded,
        Map<String, Attribute> attributes,
        OptionalInt extra) {

    static <T> Definition<T> of(Class<T> type, Complaints complaints) {
        Entity entity = type.getAnnotation(Entity.class);
        String name = entity == null || entity.name().isEmpty() ? type.getSimpleName() : entity.name();
        boolean recorded = entity == null || entity.recorded();
        Naming naming = entity == null ? Naming.AS_DECLARED : entity.naming();
        ClassShape shape = ClassShape.of(type, complaints);
        Map<String, Attribute> attributes = Attributes.of(shape, naming, recorded, complaints);
        OptionalInt extra = IntStream.range(0, shape.members().size())
                .filter(i -> shape.members().get(i).has(Extra.class))
                .findFirst();
        complaints.throwIfAny();
        return new Definition<>(type, shape, name, entity == null ? 1 : entity.version(), recorded, attributes, extra);
    }

    /** The template that the class or one of its members gives for a key. */
    <A extends Annotation> String template(Class<A> annotation, Function<A, String> value, Complaints complaints) {
        List<String> templates = new ArrayList<>();
        Optional.ofNullable(type.getAnnotation(annotation)).map(value).ifPresent(templates::add);
        for (Member member : shape.members()) {
            member.annotation(annotation)
                    .map(value)
                    .map(text -> text.isEmpty() ? "{" + member.name() + "}" : text)
                    .ifPresent(templates::add);
        }
        if (templates.size() != 1) {
            String sign = "@" + annotation.getSimpleName();
            complaints.add(
                    templates.isEmpty()
                            ? "it has no " + sign
                                    + ": add one with a template to the class, or to the component that is the key"
                            : "it has " + templates.size() + " " + sign + ": leave one");
            return "";
        }
        return templates.get(0);
    }

    int size() {
        return shape.members().size();
    }

    boolean hasExtra() {
        return extra.isPresent();
    }

    @Nullable
    Object[] values(T value) {
        @Nullable Object[] values = new @Nullable Object[size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = shape.members().get(i).read(value);
        }
        return values;
    }

    /** The properties that an object carries beyond its own. */
    Map<String, Object> extra(@Nullable Object[] values) {
        Map<String, Object> properties = new LinkedHashMap<>();
        if (extra.isPresent() && values[extra.getAsInt()] instanceof Map<?, ?> carried) {
            carried.forEach((name, value) -> properties.put((String) name, value));
        }
        return properties;
    }

    /** An object with these values; what is missing among them is nothing, or the entity cannot be read. */
    T create(EntityKey key, @Nullable Object[] values, Map<String, Object> unknown) {
        for (int i = 0; i < values.length; i++) {
            Member member = shape.members().get(i);
            if (extra.isPresent() && extra.getAsInt() == i) {
                values[i] = Map.copyOf(unknown);
            } else if (values[i] == null) {
                refuseMissing(key, member);
                values[i] = member.nothing();
            }
        }
        try {
            return type.cast(shape.create(values));
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new EntityReadException(key, type.getSimpleName() + " refused its values: " + e.getMessage());
        }
    }

    private void refuseMissing(EntityKey key, Member member) {
        Attribute attribute = attributes.get(member.name());
        if (attribute != null && member.rawType().isPrimitive()) {
            throw new EntityReadException(
                    key,
                    "property " + attribute.propertyName() + " is missing and " + member.name()
                            + " cannot be without a value: make it Optional, or give an upgradingFrom step");
        }
    }
}
