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
 * The class and attribute that a method reference names. They are read from the serialized form that the compiler generates for
 * serializable lambdas, once per call site, and cached as long as its class is loaded.
 */
public record Accessor(String owner, String attribute) {
    private static final Map<Class<?>, Accessor> KNOWN = Collections.synchronizedMap(new WeakHashMap<>());

    /** Returns the accessor of a method reference; throws for a lambda with a body. */
    public static Accessor of(Getter<?, ?> getter) {
        return KNOWN.computeIfAbsent(getter.getClass(), type -> read(getter));
    }

    /** Returns where a mapping stores the attribute of a method reference. */
    public static Place place(Getter<?, ?> getter, EntityMapping<?> mapping) {
        return mapping.place(ownerOf(getter), of(getter).attribute());
    }

    /** Loads the class that declares the accessor, with the class loader of the call site. */
    static Class<?> ownerOf(Getter<?, ?> getter) {
        try {
            return Class.forName(of(getter).owner(), false, getter.getClass().getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "The class of an accessor cannot be loaded: " + of(getter).owner(), e);
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

    /** Returns the attribute of an accessor: {@code age} of {@code getAge}, {@code active} of {@code isActive}. */
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
