package dev.trestle.patterns.entity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The partition key and row key of a class, and which attributes are stored only in them. */
record BoundKeys(BoundKey partitionKey, BoundKey rowKey) {
    static BoundKeys bind(EntityDefinition<?> definition, String partitionKey, String rowKey, Problems problems) {
        BoundKeys keys = new BoundKeys(bind(definition, partitionKey, problems), bind(definition, rowKey, problems));
        problems.throwIfAny();
        return keys;
    }

    private static BoundKey bind(EntityDefinition<?> definition, String template, Problems problems) {
        try {
            return BoundKey.bind(KeyTemplate.parse(template), definition.attributes(), problems);
        } catch (IllegalArgumentException e) {
            problems.add(String.valueOf(e.getMessage()));
            throw problems.exception();
        }
    }

    EntityKey format(@Nullable Object[] members) {
        return new EntityKey(partitionKey.format(members), rowKey.format(members));
    }

    /** Parses both keys into the member values; returns false if a key does not match its template. */
    boolean parse(EntityKey key, @Nullable Object[] members) {
        return partitionKey.parse(key.partitionKey(), members) && rowKey.parse(key.rowKey(), members);
    }

    /** Returns whether an attribute is the only component of a key and can be parsed from it. */
    boolean hold(Attribute attribute) {
        return holds(partitionKey, attribute) || holds(rowKey, attribute);
    }

    private static boolean holds(BoundKey key, Attribute attribute) {
        return key.holds(attribute) && key.formatOfOnly(attribute).isPresent();
    }

    Place place(Attribute attribute) {
        if (holds(partitionKey, attribute)) {
            return inKey(EntityKey.PARTITION_KEY, partitionKey, attribute);
        } else if (holds(rowKey, attribute)) {
            return inKey(EntityKey.ROW_KEY, rowKey, attribute);
        }
        boolean keyPart = partitionKey.template().components().contains(attribute.name())
                || rowKey.template().components().contains(attribute.name());
        return new Place.InProperty(attribute.propertyName(), attribute::toStored, attribute.opaque(), keyPart);
    }

    private static Place inKey(String name, BoundKey key, Attribute attribute) {
        int ordering = key.formatOfOnly(attribute)
                .map(known -> switch (known.order()) {
                    case SAME -> 1;
                    case REVERSED -> -1;
                    case NONE -> 0;
                })
                .orElse(0);
        return new Place.InKey(
                name, key.literalBefore(), key.literalAfter(), ordering, value -> key.joined(List.of(value)));
    }

    @Override
    public String toString() {
        return partitionKey.template() + " / " + rowKey.template();
    }
}
