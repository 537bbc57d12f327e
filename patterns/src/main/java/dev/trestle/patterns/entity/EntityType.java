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
 * The mapping of one class. Immutable and thread-safe. Creating it is expensive because of reflection, so reuse it.
 *
 * <p>The name and version of the class are recorded with each entity. Reading fails for an entity of another name or a newer
 * version; an entity of an older version passes through the steps given to {@link #upgradingFrom}.
 */
public final class EntityType<T> implements EntityMapping<T> {
    public static final String TYPE = "EntityType";
    public static final String VERSION = "EntityVersion";

    private final EntityDefinition<T> definition;
    private final BoundKeys keys;
    private final List<Attribute> properties;
    private final Set<String> propertyNames;
    private final Map<Integer, UnaryOperator<Map<String, Object>>> upgrades;

    private EntityType(
            EntityDefinition<T> definition, BoundKeys keys, Map<Integer, UnaryOperator<Map<String, Object>>> upgrades) {
        this.definition = definition;
        this.keys = keys;
        this.properties = definition.attributes().values().stream()
                .filter(attribute -> !keys.hold(attribute))
                .toList();
        this.propertyNames = properties.stream().map(Attribute::propertyName).collect(Collectors.toUnmodifiableSet());
        this.upgrades = Map.copyOf(upgrades);
    }

    /** Returns the mapping of a record or plain class, with keys from its annotations. */
    public static <T> EntityType<T> of(Class<T> type) {
        Problems problems = new Problems(type);
        EntityDefinition<T> definition = EntityDefinition.of(type, problems);
        String partitionKey = definition.template(PartitionKey.class, PartitionKey::value, problems);
        String rowKey = definition.template(RowKey.class, RowKey::value, problems);
        problems.throwIfAny();
        return new EntityType<>(definition, BoundKeys.bind(definition, partitionKey, rowKey, problems), Map.of());
    }

    /** Returns the mapping of a record or plain class, with keys from these templates. */
    public static <T> EntityType<T> of(Class<T> type, String partitionKey, String rowKey) {
        Problems problems = new Problems(type);
        EntityDefinition<T> definition = EntityDefinition.of(type, problems);
        return new EntityType<>(definition, BoundKeys.bind(definition, partitionKey, rowKey, problems), Map.of());
    }

    /** Returns the mapping of the same class with other key templates, for example for the copies of a secondary index. */
    public EntityType<T> keyedBy(String otherPartitionKey, String otherRowKey) {
        Problems problems = new Problems(javaType());
        return new EntityType<>(
                definition, BoundKeys.bind(definition, otherPartitionKey, otherRowKey, problems), upgrades);
    }

    /** Returns this mapping with a step that upgrades the properties of a stored entity from a version to the next. */
    public EntityType<T> upgradingFrom(int version, UnaryOperator<Map<String, Object>> step) {
        Map<Integer, UnaryOperator<Map<String, Object>>> more = new HashMap<>(upgrades);
        more.put(version, step);
        return new EntityType<>(definition, keys, more);
    }

    public Class<T> javaType() {
        return definition.type();
    }

    /** Returns the recorded name. */
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

    /** Returns whether the partition key starts with a time, so that all writers use the latest partition. */
    public boolean partitionsFollowTheClock() {
        return keys.partitionKey().beginsWithClock();
    }

    /** Returns the partition key with these components, in the order of the template. */
    public String partitionKeyOf(Object... components) {
        return whole(keys.partitionKey(), components);
    }

    /** Returns the row key with these components, in the order of the template. */
    public String rowKeyOf(Object... components) {
        return whole(keys.rowKey(), components);
    }

    /** Returns the common prefix of all row keys with these first components, including the literal after the last of them. */
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

    /** Returns the properties that record name and version in each entity. */
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

    /** Returns the values of all members stored in a row. */
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
            throw new EntityReadException(key, "its keys do not match " + keys);
        }
        return values;
    }

    EntityDefinition<T> definition() {
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
                            + " are supported");
        }
        for (int old = version; old < version(); old++) {
            UnaryOperator<Map<String, Object>> step = upgrades.get(old);
            stored = step == null ? stored : step.apply(new LinkedHashMap<>(stored));
        }
        return stored;
    }

    /** Returns whether a key matches the templates. */
    boolean matches(EntityKey key) {
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

    /** Returns the names of the properties of the class, without keys, recorded name and version. */
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
