package dev.trestle.patterns.entity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The mapping of several types in one table, the classes of a sealed interface. The type of a stored entity is the recorded one or,
 * if none is recorded, the only one whose key templates match. Immutable and thread-safe.
 */
public final class EntityFamily<T> implements EntityMapping<T> {
    private final Class<T> parent;
    private final Map<String, EntityType<? extends T>> byName;
    private final Map<Class<?>, EntityType<? extends T>> byClass;

    private EntityFamily(Class<T> parent, List<EntityType<? extends T>> types) {
        this.parent = parent;
        this.byName = new LinkedHashMap<>();
        this.byClass = new LinkedHashMap<>();
        Problems problems = new Problems(parent);
        for (EntityType<? extends T> type : types) {
            byClass.put(type.javaType(), type);
            EntityType<?> other = byName.put(type.name(), type);
            if (other != null) {
                problems.add(type.javaType().getSimpleName() + " and "
                        + other.javaType().getSimpleName() + " are both named " + type.name()
                        + ": rename one with @Entity");
            }
        }
        problems.throwIfAny();
    }

    /** Returns the family of all classes that a sealed interface or class permits, at any depth. */
    public static <T> EntityFamily<T> of(Class<T> parent) {
        return new EntityFamily<>(parent, members(parent));
    }

    /** Returns the family of these types, some of which may be mapped differently from their annotations. */
    public static <T> EntityFamily<T> of(Class<T> parent, List<EntityType<? extends T>> types) {
        return new EntityFamily<>(parent, types);
    }

    @SuppressWarnings("unchecked") // Permitted subclasses extend the sealed type.
    private static <T> List<EntityType<? extends T>> members(Class<T> parent) {
        List<EntityType<? extends T>> types = new ArrayList<>();
        Class<?>[] permitted = parent.getPermittedSubclasses();
        if (permitted == null) {
            types.add(EntityType.of(parent));
            return types;
        }
        for (Class<?> child : permitted) {
            types.addAll(members((Class<? extends T>) child));
        }
        return types;
    }

    @Override
    public EntityKey key(T value) {
        return typeOf(value).key(value);
    }

    @Override
    public EntityRow toRow(T value) {
        return typeOf(value).toRow(value);
    }

    @SuppressWarnings("unchecked") // The lookup was by the class of the value.
    private EntityType<T> typeOf(T value) {
        EntityType<? extends T> type = byClass.get(value.getClass());
        if (type == null) {
            throw new IllegalArgumentException(
                    value.getClass().getName() + " is not in the family " + parent.getSimpleName());
        }
        return (EntityType<T>) type;
    }

    @Override
    public Stored<T> fromRow(EntityRow row) {
        return widened(typeOf(row).fromRow(row));
    }

    private static <T> Stored<T> widened(Stored<? extends T> stored) {
        return new Stored<>(
                stored.value(), stored.key(), stored.etag(), stored.timestamp(), stored.unknownProperties());
    }

    private EntityType<? extends T> typeOf(EntityRow row) {
        if (row.properties().get(EntityType.TYPE) instanceof String name) {
            EntityType<? extends T> type = byName.get(name);
            if (type == null) {
                throw new EntityReadException(
                        row.key(),
                        "it is of type " + name + " and the family " + parent.getSimpleName() + " has "
                                + byName.keySet());
            }
            return type;
        }
        List<EntityType<? extends T>> candidates =
                byName.values().stream().filter(type -> type.matches(row.key())).toList();
        if (candidates.size() != 1) {
            throw new EntityReadException(
                    row.key(), "it records no type and its keys match " + candidates.size() + " types");
        }
        return candidates.get(0);
    }

    @Override
    public Place place(Class<?> owner, String attribute) {
        EntityType<? extends T> exact = byClass.get(owner);
        if (exact != null) {
            return exact.place(owner, attribute);
        }
        List<Place> places = byName.values().stream()
                .filter(type -> owner.isAssignableFrom(type.javaType()))
                .map(type -> type.place(owner, attribute))
                .toList();
        long names = places.stream().map(Place::name).distinct().count();
        if (names != 1) {
            throw new IllegalArgumentException(owner.getSimpleName() + "::" + attribute + " is stored in "
                    + (names == 0 ? "no type" : "different properties") + " of the family " + parent.getSimpleName()
                    + ": use the accessor of one of its classes");
        }
        return places.get(0);
    }

    @Override
    public Set<String> encryptedProperties() {
        return byName.values().stream()
                .flatMap(type -> type.encryptedProperties().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public List<EntityType<? extends T>> types() {
        return List.copyOf(byName.values());
    }

    @Override
    public String toString() {
        return parent.getSimpleName() + " " + byName.keySet();
    }
}
