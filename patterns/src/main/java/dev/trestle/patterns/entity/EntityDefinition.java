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
 * The declaration of an entity class without its keys: name, version and attributes. Reads the values of instances and creates
 * instances.
 */
record EntityDefinition<T>(
        Class<T> type,
        ClassShape shape,
        String name,
        int version,
        boolean recorded,
        Map<String, Attribute> attributes,
        OptionalInt extra) {

    static <T> EntityDefinition<T> of(Class<T> type, Problems problems) {
        Entity entity = type.getAnnotation(Entity.class);
        String name = entity == null || entity.name().isEmpty() ? type.getSimpleName() : entity.name();
        boolean recorded = entity == null || entity.recorded();
        Naming naming = entity == null ? Naming.AS_DECLARED : entity.naming();
        ClassShape shape = ClassShape.of(type, problems);
        Map<String, Attribute> attributes = Attributes.of(shape, naming, recorded, problems);
        OptionalInt extra = IntStream.range(0, shape.members().size())
                .filter(i -> shape.members().get(i).has(Extra.class))
                .findFirst();
        problems.throwIfAny();
        return new EntityDefinition<>(
                type, shape, name, entity == null ? 1 : entity.version(), recorded, attributes, extra);
    }

    /** Returns the template of a key, which the class or one of its members is annotated with. */
    <A extends Annotation> String template(Class<A> annotation, Function<A, String> value, Problems problems) {
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
            problems.add(
                    templates.isEmpty()
                            ? "it has no " + sign
                                    + ": add one with a template to the class, or to the component that is the key"
                            : "it has " + templates.size() + " " + sign + ": keep one");
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

    /** Returns the properties in the {@link Extra} map of an object. */
    Map<String, Object> extra(@Nullable Object[] values) {
        Map<String, Object> properties = new LinkedHashMap<>();
        if (extra.isPresent() && values[extra.getAsInt()] instanceof Map<?, ?> carried) {
            carried.forEach((name, value) -> properties.put((String) name, value));
        }
        return properties;
    }

    /** Creates an object with these values; a missing value is replaced by its default, or fails if there is none. */
    T create(EntityKey key, @Nullable Object[] values, Map<String, Object> unknown) {
        for (int i = 0; i < values.length; i++) {
            Member member = shape.members().get(i);
            if (extra.isPresent() && extra.getAsInt() == i) {
                values[i] = Map.copyOf(unknown);
            } else if (values[i] == null) {
                checkOptional(key, member);
                values[i] = member.absentValue();
            }
        }
        try {
            return type.cast(shape.create(values));
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new EntityReadException(
                    key, "the constructor of " + type.getSimpleName() + " failed: " + e.getMessage());
        }
    }

    private void checkOptional(EntityKey key, Member member) {
        Attribute attribute = attributes.get(member.name());
        if (attribute != null && member.rawType().isPrimitive()) {
            throw new EntityReadException(
                    key,
                    "property " + attribute.propertyName() + " is missing and " + member.name()
                            + " is primitive: make it Optional, or add an upgradingFrom step");
        }
    }
}
