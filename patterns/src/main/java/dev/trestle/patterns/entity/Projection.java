package dev.trestle.patterns.entity;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The projection of an entity type to a class with a subset of its attributes, of the same names and types. Only these properties
 * are transferred; attributes in keys are always available.
 */
public final class Projection<P> {
    private final EntityType<?> source;
    private final Class<P> type;
    private final ClassShape shape;
    private final List<Attribute> attributes;

    private Projection(EntityType<?> source, Class<P> type, ClassShape shape, List<Attribute> attributes) {
        this.source = source;
        this.type = type;
        this.shape = shape;
        this.attributes = List.copyOf(attributes);
    }

    /**
     * Returns the projection of a mapping to a class.
     *
     * @throws EntityDefinitionException if an attribute of the class is missing in the mapping, or has another type there
     */
    public static <P> Projection<P> of(EntityMapping<?> mapping, Class<P> type) {
        Problems problems = new Problems(type);
        if (!(mapping instanceof EntityType<?> source)) {
            problems.add("a family cannot be projected: project one of its types");
            throw problems.exception();
        }
        ClassShape shape = ClassShape.of(type, problems);
        List<Attribute> attributes = new ArrayList<>();
        for (Member member : shape.members()) {
            Attribute attribute = source.definition().attributes().get(member.name());
            if (attribute == null) {
                problems.add(member.name() + " is not an attribute of " + source.name() + ", which has "
                        + String.join(", ", source.definition().attributes().keySet()));
            } else if (!attribute.member().type().equals(member.type())) {
                problems.add(member.name() + " is of type " + member.type().getTypeName() + " here and "
                        + attribute.member().type().getTypeName() + " in " + source.name() + ": use the same type");
            } else {
                attributes.add(attribute);
            }
        }
        problems.throwIfAny();
        return new Projection<>(source, type, shape, attributes);
    }

    /** Returns the properties to select, including the recorded name and version. */
    public Set<String> properties() {
        Set<String> names = new LinkedHashSet<>(List.of(EntityType.TYPE, EntityType.VERSION));
        attributes.stream()
                .map(Attribute::propertyName)
                .filter(source.propertyNames()::contains)
                .forEach(names::add);
        return names;
    }

    /** Converts an entity to a value of the projection. */
    public Stored<P> fromRow(EntityRow row) {
        @Nullable Object[] all = source.values(row);
        @Nullable Object[] values = new @Nullable Object[attributes.size()];
        for (int i = 0; i < values.length; i++) {
            Object value = all[attributes.get(i).index()];
            values[i] = value == null ? shape.members().get(i).absentValue() : value;
        }
        P value = type.cast(shape.create(values));
        return new Stored<>(value, row.key(), row.etag().orElse("*"), row.timestamp(), Map.of());
    }
}
