package dev.trestle.patterns.entity;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Array;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A component of a record or a field of a class, with a handle that reads it.
 *
 * @param absentValue the value that represents absence: an empty {@code Optional}, zero, false or null
 */
record Member(
        String name,
        Class<?> rawType,
        Type type,
        AnnotatedElement declaration,
        MethodHandle getter,
        @Nullable Object absentValue) {
    <A extends Annotation> Optional<A> annotation(Class<A> type) {
        return Optional.ofNullable(declaration.getAnnotation(type));
    }

    boolean has(Class<? extends Annotation> type) {
        return declaration.isAnnotationPresent(type);
    }

    @Nullable
    Object read(Object owner) {
        try {
            return getter.invokeExact(owner);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("The accessor of " + name + " failed", e);
        }
    }

    static Member of(String name, Class<?> rawType, Type type, AnnotatedElement declaration, MethodHandle getter) {
        return new Member(name, rawType, type, declaration, getter, absentValue(rawType));
    }

    private static @Nullable Object absentValue(Class<?> type) {
        if (type == Optional.class) {
            return Optional.empty();
        }
        return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
    }
}
