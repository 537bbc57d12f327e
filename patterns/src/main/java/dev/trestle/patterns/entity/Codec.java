package dev.trestle.patterns.entity;

import java.util.function.Function;

/**
 * Turns values of a Java type into values of one type that the service stores, and back. Never sees null.
 *
 * @param storedType what the service stores
 * @param json whether the stored string is JSON, which no filter can look into
 */
record Codec(Class<?> storedType, boolean json, Function<Object, Object> encode, Function<Object, Object> decode) {
    static <V, S> Codec of(Class<S> storedType, Function<V, S> encode, Function<S, V> decode) {
        return new Codec(storedType, false, widened(encode), widened(decode));
    }

    @SuppressWarnings("unchecked") // Values are of the declared type, or the cast in the function says which they are.
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
