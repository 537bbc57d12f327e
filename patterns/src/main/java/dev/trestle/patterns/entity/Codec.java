package dev.trestle.patterns.entity;

import java.util.function.Function;

/**
 * A codec between a Java type and a type of the service. Never called with null.
 *
 * @param storedType the type of the service
 * @param json whether values are encoded as JSON, which filters cannot compare
 */
record Codec(Class<?> storedType, boolean json, Function<Object, Object> encode, Function<Object, Object> decode) {
    static <V, S> Codec of(Class<S> storedType, Function<V, S> encode, Function<S, V> decode) {
        return new Codec(storedType, false, widened(encode), widened(decode));
    }

    @SuppressWarnings("unchecked") // A value of another type fails in the function's own cast.
    private static <A, B> Function<Object, Object> widened(Function<A, B> function) {
        return (Function<Object, Object>) (Function<?, ?>) function;
    }

    Object toStored(Object value) {
        return encode.apply(value);
    }

    Object fromStored(Object stored) {
        if (!storedType.isInstance(stored)) {
            throw new ClassCastException("a " + stored.getClass().getSimpleName() + " is stored where a "
                    + storedType.getSimpleName() + " is expected");
        }
        return decode.apply(stored);
    }
}
