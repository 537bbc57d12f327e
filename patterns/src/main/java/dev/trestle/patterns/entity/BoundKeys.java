package dev.trestle.patterns.entity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Both keys of a class, and which of its attributes they hold so that no property needs to. */
record BoundKeys(BoundKey partitionKey, BoundKey rowKey) {
    static BoundKeys bind(Definition<?> definition, String partitionKey, String rowKey, Complaints complaints) {
        BoundKeys keys =
                new BoundKeys(bind(definition, partitionKey, complaints), bind(definition, rowKey, complaints));
        complaints.throwIfAny();
        return keys;
    }

    private static BoundKey bind(Definition<?> definition, String template, Complaints complaints) {
        try {
            return BoundKey.bind(KeyTemplate.parse(template), definition.attributes(), complaints);
        } catch (IllegalArgumentException e) {
            complaints.add(String.valueOf(e.getMessage()));
            throw complaints.exception();
        }
    }

    EntityKey format(@Nullable Object[] members) {
        return new EntityKey(partitionKey.format(members), rowKey.format(members));
    }

    /** Puts the values of both keys where their members are; false if the keys are not of these templates. */
    boolean parse(EntityKey key, @Nullable Object[] members) {
        return partitionKey.parse(key.partitionKey(), members) && rowKey.parse(key.rowKey(), members);
    }

    /** Whether an attribute is all there is to a key, and can be read back from it. */
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
