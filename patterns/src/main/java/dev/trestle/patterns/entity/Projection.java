package dev.trestle.patterns.entity;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A smaller class with some of the attributes of another, of the same names and types, so that only those are sent. What keys
 * hold is there without being asked for.
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

    /** The projection of a mapping to a class, or what is wrong with it. */
    public static <P> Projection<P> of(EntityMapping<?> mapping, Class<P> type) {
        Complaints complaints = new Complaints(type);
        if (!(mapping instanceof EntityType<?> source)) {
            complaints.add("a family has no attributes of its own to choose from: project one of its types");
            throw complaints.exception();
        }
        ClassShape shape = ClassShape.of(type, complaints);
        List<Attribute> attributes = new ArrayList<>();
        for (Member member : shape.members()) {
            Attribute attribute = source.definition().attributes().get(member.name());
            if (attribute == null) {
                complaints.add(member.name() + " is not an attribute of " + source.name() + ", which has "
                        + String.join(", ", source.definition().attributes().keySet()));
            } else if (!attribute.member().type().equals(member.type())) {
                complaints.add(member.name() + " is of type " + member.type().getTypeName() + " here and "
                        + attribute.member().type().getTypeName() + " in " + source.name() + ": make them alike");
            } else {
                attributes.add(attribute);
            }
        }
        complaints.throwIfAny();
        return new Projection<>(source, type, shape, attributes);
    }

    /** The properties to ask for, with those that reading needs. */
    public Set<String> properties() {
        Set<String> names = new LinkedHashSet<>(List.of(EntityType.TYPE, EntityType.VERSION));
        attributes.stream()
                .map(Attribute::propertyName)
                .filter(source.propertyNames()::contains)
                .forEach(names::add);
        return names;
    }

    public Stored<P> fromRow(EntityRow row) {
        @Nullable Object[] all = source.values(row);
        @Nullable Object[] values = new @Nullable Object[attributes.size()];
        for (int i = 0; i < values.length; i++) {
            Object value = all[attributes.get(i).index()];
            values[i] = value == null ? shape.members().get(i).nothing() : value;
        }
        P value = type.cast(shape.create(values));
        return new Stored<>(value, row.key(), row.etag().orElse("*"), row.timestamp(), Map.of());
    }
}
