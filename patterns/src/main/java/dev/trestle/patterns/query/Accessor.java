package dev.trestle.patterns.query;

import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.Place;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The name behind a method reference. The compiler writes it down for every lambda that can be serialized; it is read once
 * for each place in the code that makes one, and remembered as long as that code is loaded.
 */
public record Accessor(String owner, String attribute) {
    private static final Map<Class<?>, Accessor> KNOWN = Collections.synchronizedMap(new WeakHashMap<>());

    public static Accessor of(Getter<?, ?> getter) {
        return KNOWN.computeIfAbsent(getter.getClass(), type -> read(getter));
    }

    /** Where the attribute behind a reference is stored. */
    public static Place place(Getter<?, ?> getter, EntityMapping<?> mapping) {
        return mapping.place(ownerOf(getter), of(getter).attribute());
    }

    /** The class that declares the accessor, seen from the place that named it. */
    static Class<?> ownerOf(Getter<?, ?> getter) {
        try {
            return Class.forName(of(getter).owner(), false, getter.getClass().getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("The class of an accessor cannot be found", e);
        }
    }

    private static Accessor read(Getter<?, ?> getter) {
        try {
            Method replace = getter.getClass().getDeclaredMethod("writeReplace");
            replace.setAccessible(true);
            SerializedLambda lambda = (SerializedLambda) replace.invoke(getter);
            String method = lambda.getImplMethodName();
            if (method.startsWith("lambda$")) {
                throw new IllegalArgumentException(
                        "A lambda with a body has no name: use a method reference such as Employee::department");
            }
            return new Accessor(lambda.getImplClass().replace('/', '.'), attribute(method));
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalArgumentException(
                    "The name of an accessor cannot be read: use a method reference such as Employee::department, and open"
                            + " its package to this library if it is in a named module",
                    e);
        }
    }

    /** {@code getAge} and {@code isActive} are accessors of {@code age} and {@code active}. */
    private static String attribute(String method) {
        for (String prefix : new String[] {"get", "is"}) {
            int length = prefix.length();
            if (method.startsWith(prefix) && method.length() > length && Character.isUpperCase(method.charAt(length))) {
                return method.substring(length, length + 1).toLowerCase(Locale.ROOT) + method.substring(length + 1);
            }
        }
        return method;
    }
}
