package dev.trestle.patterns.entity;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of a record or plain class, and the constructor of instances. All reflection happens in {@link #of}; afterwards
 * only method handles are called.
 */
final class ClassShape {
    private static final MethodType READS = MethodType.methodType(Object.class, Object.class);
    private static final MethodType WRITES = MethodType.methodType(void.class, Object.class, Object.class);

    private final List<Member> members;
    private final MethodHandle constructor;
    private final List<MethodHandle> setters;

    private ClassShape(List<Member> members, MethodHandle constructor, List<MethodHandle> setters) {
        this.members = List.copyOf(members);
        this.constructor = constructor;
        this.setters = List.copyOf(setters);
    }

    /** Returns the shape of a type; throws the problems found if there is none. */
    static ClassShape of(Class<?> type, Problems problems) {
        if (!type.isRecord()) {
            checkInstantiable(type, problems);
        }
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            return type.isRecord() ? ofRecord(type, lookup) : ofClass(type, lookup, problems);
        } catch (IllegalAccessException e) {
            problems.add("its package is closed to reflection: open it to this library in module-info.java ("
                    + e.getMessage() + ")");
            throw problems.exception();
        }
    }

    private static ClassShape ofRecord(Class<?> type, MethodHandles.Lookup lookup) throws IllegalAccessException {
        List<Member> members = new ArrayList<>();
        RecordComponent[] components = type.getRecordComponents();
        for (RecordComponent component : components) {
            MethodHandle getter = lookup.unreflect(component.getAccessor()).asType(READS);
            members.add(
                    Member.of(component.getName(), component.getType(), component.getGenericType(), component, getter));
        }
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        MethodHandle constructor = constructor(type, lookup, types);
        return new ClassShape(members, constructor, List.of());
    }

    private static MethodHandle constructor(Class<?> type, MethodHandles.Lookup lookup, Class<?>... parameters)
            throws IllegalAccessException {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(parameters);
            return lookup.unreflectConstructor(constructor)
                    .asFixedArity()
                    .asSpreader(Object[].class, parameters.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (NoSuchMethodException e) {
            throw new IllegalAccessException("no constructor with parameters " + Arrays.toString(parameters));
        }
    }

    private static ClassShape ofClass(Class<?> type, MethodHandles.Lookup lookup, Problems problems)
            throws IllegalAccessException {
        List<Member> members = new ArrayList<>();
        List<MethodHandle> setters = new ArrayList<>();
        for (Field field : fields(type)) {
            MethodHandles.Lookup owner = MethodHandles.privateLookupIn(field.getDeclaringClass(), lookup);
            members.add(Member.of(
                    field.getName(),
                    field.getType(),
                    field.getGenericType(),
                    field,
                    owner.unreflectGetter(field).asType(READS)));
            if (Modifier.isFinal(field.getModifiers())) {
                problems.add(
                        "field " + field.getName()
                                + " is final and cannot be set when an entity is read: make it non-final, or the class a record");
            } else {
                setters.add(owner.unreflectSetter(field).asType(WRITES));
            }
        }
        problems.throwIfAny();
        return new ClassShape(members, constructor(type, lookup), setters);
    }

    private static void checkInstantiable(Class<?> type, Problems problems) {
        boolean inner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
        if (type.isInterface() || type.isEnum() || type.isArray() || type.isPrimitive()) {
            problems.add("it is neither a record nor a plain class");
        } else if (Modifier.isAbstract(type.getModifiers())) {
            problems.add("it is abstract: make it a sealed interface and map that, or map its subclasses");
        } else if (inner) {
            problems.add("it is an inner class, which needs an outer instance: make it static");
        } else if (Arrays.stream(type.getDeclaredConstructors()).noneMatch(c -> c.getParameterCount() == 0)) {
            problems.add(
                    "it has no constructor without parameters: add one, which may be private, or make it a record");
        }
        problems.throwIfAny();
    }

    private static List<Field> fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        if (type.getSuperclass() != null && type.getSuperclass() != Object.class) {
            fields.addAll(fields(type.getSuperclass()));
        }
        Arrays.stream(type.getDeclaredFields())
                .filter(field ->
                        !Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers()))
                .filter(field -> !field.isSynthetic())
                .forEach(fields::add);
        return fields;
    }

    List<Member> members() {
        return members;
    }

    /** Creates an instance with these member values. */
    Object create(@Nullable Object[] values) {
        try {
            if (setters.isEmpty()) {
                return (Object) constructor.invokeExact(values);
            }
            Object created = (Object) constructor.invokeExact(new Object[0]);
            for (int i = 0; i < values.length; i++) {
                setters.get(i).invokeExact(created, values[i]);
            }
            return created;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("A constructor failed", e);
        }
    }
}
