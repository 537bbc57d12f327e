package dev.trestle.patterns.entity;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the values of one class are stored. Immutable; make it once, since making it is what costs.
 *
 * <p>The name and the version of the class are recorded with each entity. An entity of another name, or of a newer version, is
 * refused on reading. One of an older version goes through the steps given to {@link #upgradingFrom} first.
 */
public final class EntityType<T> implements EntityMapping<T> {
    public static final String TYPE = "EntityType";
    public static final String VERSION = "EntityVersion";

    private final Definition<T> definition;
    private final BoundKeys keys;
    private final List<Attribute> properties;
    private final Set<String> propertyNames;
    private final Map<Integer, UnaryOperator<Map<String, Object>>> upgrades;

    private EntityType(
            Definition<T> definition, BoundKeys keys, Map<Integer, UnaryOperator<Map<String, Object>>> upgrades) {
        this.definition = definition;
        this.keys = keys;
        this.properties = definition.attributes().values().stream()
                .filter(attribute -> !keys.hold(attribute))
                .toList();
        this.propertyNames = properties.stream().map(Attribute::propertyName).collect(Collectors.toUnmodifiableSet());
        this.upgrades = Map.copyOf(upgrades);
    }

    /** The mapping of a record or a plain class, with the keys its annotations give. */
    public static <T> EntityType<T> of(Class<T> type) {
        Complaints complaints = new Complaints(type);
        Definition<T> definition = Definition.of(type, complaints);
        String partitionKey = definition.template(PartitionKey.class, PartitionKey::value, complaints);
        String rowKey = definition.template(RowKey.class, RowKey::value, complaints);
        complaints.throwIfAny();
        return new EntityType<>(definition, BoundKeys.bind(definition, partitionKey, rowKey, complaints), Map.of());
    }

    /** The mapping of a class that has no keys of its own, or is to have others here. */
    public static <T> EntityType<T> of(Class<T> type, String partitionKey, String rowKey) {
        Complaints complaints = new Complaints(type);
        Definition<T> definition = Definition.of(type, complaints);
        return new EntityType<>(definition, BoundKeys.bind(definition, partitionKey, rowKey, complaints), Map.of());
    }

    /** The same values under other keys, as the copies of a secondary index are. */
    public EntityType<T> keyedBy(String otherPartitionKey, String otherRowKey) {
        Complaints complaints = new Complaints(javaType());
        return new EntityType<>(
                definition, BoundKeys.bind(definition, otherPartitionKey, otherRowKey, complaints), upgrades);
    }

    /** The same mapping, reading entities of an older version after this change of their properties by one version. */
    public EntityType<T> upgradingFrom(int version, UnaryOperator<Map<String, Object>> step) {
        Map<Integer, UnaryOperator<Map<String, Object>>> more = new HashMap<>(upgrades);
        more.put(version, step);
        return new EntityType<>(definition, keys, more);
    }

    public Class<T> javaType() {
        return definition.type();
    }

    /** The name that is recorded. */
    public String name() {
        return definition.name();
    }

    public int version() {
        return definition.version();
    }

    public KeyTemplate partitionKeyTemplate() {
        return keys.partitionKey().template();
    }

    public KeyTemplate rowKeyTemplate() {
        return keys.rowKey().template();
    }

    /** Whether new partitions follow the clock, so that all writers meet in the latest one. */
    public boolean partitionsFollowTheClock() {
        return keys.partitionKey().beginsWithClock();
    }

    /** A partition key, of the values of its components in the order of the template. */
    public String partitionKeyOf(Object... components) {
        return whole(keys.partitionKey(), components);
    }

    /** A row key, of the values of its components in the order of the template. */
    public String rowKeyOf(Object... components) {
        return whole(keys.rowKey(), components);
    }

    /** What all row keys begin with that have these first components, with the text that follows the last of them. */
    public String rowKeyPrefix(Object... leadingComponents) {
        return keys.rowKey().joined(List.of(leadingComponents));
    }

    private static String whole(BoundKey key, Object... components) {
        if (components.length != key.size()) {
            throw new IllegalArgumentException(
                    "The key " + key.template() + " has " + key.size() + " components, not " + components.length);
        }
        return key.joined(List.of(components));
    }

    @Override
    public EntityKey key(T value) {
        return keys.format(definition.values(value));
    }

    @Override
    public EntityRow toRow(T value) {
        @Nullable Object[] values = definition.values(value);
        Map<String, Object> stored = new LinkedHashMap<>(definition.extra(values));
        stored.putAll(recorded());
        for (Attribute attribute : properties) {
            Object property = attribute.toStored(values[attribute.index()]);
            if (property != null) {
                stored.put(attribute.propertyName(), property);
            }
        }
        return EntityRow.of(keys.format(values), stored);
    }

    /** What is recorded of the type with each entity. */
    public Map<String, Object> recorded() {
        return definition.recorded() ? Map.of(TYPE, name(), VERSION, version()) : Map.of();
    }

    @Override
    public Stored<T> fromRow(EntityRow row) {
        Map<String, Object> stored = upgraded(row);
        @Nullable Object[] values = values(row.key(), stored);
        Map<String, Object> unknown = new LinkedHashMap<>(stored);
        unknown.keySet().removeAll(propertyNames());
        unknown.keySet().removeAll(List.of(TYPE, VERSION));
        T value = definition.create(row.key(), values, unknown);
        return new Stored<>(
                value, row.key(), row.etag().orElse("*"), row.timestamp(), definition.hasExtra() ? Map.of() : unknown);
    }

    /** The values of all members that a row holds, for a projection to choose from. */
    @Nullable
    Object[] values(EntityRow row) {
        return values(row.key(), upgraded(row));
    }

    private @Nullable Object[] values(EntityKey key, Map<String, Object> stored) {
        @Nullable Object[] values = new @Nullable Object[definition.size()];
        for (Attribute attribute : properties) {
            Object property = stored.get(attribute.propertyName());
            if (property != null) {
                values[attribute.index()] = read(key, attribute, property);
            }
        }
        if (!keys.parse(key, values)) {
            throw new EntityReadException(key, "its keys are not of the form " + keys);
        }
        return values;
    }

    Definition<T> definition() {
        return definition;
    }

    private static Object read(EntityKey key, Attribute attribute, Object stored) {
        try {
            return attribute.fromStored(stored);
        } catch (RuntimeException e) {
            throw new EntityReadException(
                    key,
                    "property " + attribute.propertyName() + " does not fit " + attribute.name() + ": "
                            + e.getMessage());
        }
    }

    private Map<String, Object> upgraded(EntityRow row) {
        Map<String, Object> stored = row.properties();
        Object type = stored.get(TYPE);
        if (definition.recorded() && type != null && !name().equals(type)) {
            throw new EntityReadException(row.key(), "it is of type " + type + " and not " + name());
        }
        int version = definition.recorded() && stored.get(VERSION) instanceof Integer known ? known : version();
        if (version > version()) {
            throw new EntityReadException(
                    row.key(),
                    "it is of version " + version + " of " + name() + " and only versions up to " + version()
                            + " are known here");
        }
        for (int old = version; old < version(); old++) {
            UnaryOperator<Map<String, Object>> step = upgrades.get(old);
            stored = step == null ? stored : step.apply(new LinkedHashMap<>(stored));
        }
        return stored;
    }

    /** Whether an entity that records no type may be of this one, by the form of its keys. */
    boolean suits(EntityKey key) {
        return keys.parse(key, new @Nullable Object[definition.size()]);
    }

    @Override
    public Place place(Class<?> owner, String attributeName) {
        Attribute attribute = definition.attributes().get(attributeName);
        if (attribute == null || !isRelated(owner)) {
            throw new IllegalArgumentException(owner.getSimpleName() + "::" + attributeName
                    + " is not an attribute of " + javaType().getSimpleName() + ", which has "
                    + String.join(", ", definition.attributes().keySet()));
        }
        return keys.place(attribute);
    }

    private boolean isRelated(Class<?> owner) {
        return owner.isAssignableFrom(javaType()) || javaType().isAssignableFrom(owner);
    }

    /** The properties that a class stores, keys and what is recorded of the type aside. */
    public Set<String> propertyNames() {
        return propertyNames;
    }

    @Override
    public Set<String> encryptedProperties() {
        return properties.stream()
                .filter(Attribute::encrypted)
                .map(Attribute::propertyName)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public List<EntityType<? extends T>> types() {
        return List.of(this);
    }

    @Override
    public String toString() {
        return name() + " v" + version() + " at " + keys;
    }
}
