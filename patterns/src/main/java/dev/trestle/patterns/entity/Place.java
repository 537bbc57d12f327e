package dev.trestle.patterns.entity;

import org.jspecify.annotations.Nullable;

/** The storage location of an attribute: a property, or a key of which it is the only component. */
public sealed interface Place {
    /** Returns the name of the property or key. */
    String name();

    /** Encodes a value of the attribute; for a key, to the whole key. */
    Object stored(Object value);

    /**
     * A property.
     *
     * @param opaque why filters cannot compare the value; empty if they can
     * @param keyPart whether the attribute is also a component of a key and therefore cannot change
     */
    record InProperty(String name, AttributeCodec codec, String opaque, boolean keyPart) implements Place {
        @Override
        public Object stored(Object value) {
            Object stored = codec.toStored(value);
            if (stored == null) {
                throw new IllegalArgumentException(
                        "The value of " + name + " is absent: an absent property can be neither compared nor merged");
            }
            return stored;
        }
    }

    /**
     * A key of the form {@code prefix + value + suffix}.
     *
     * @param ordering 1 if keys sort as values do, -1 if in reverse order, 0 if neither
     */
    record InKey(String name, String prefix, String suffix, int ordering, AttributeCodec codec) implements Place {
        @Override
        public Object stored(Object value) {
            Object key = codec.toStored(value);
            if (key == null) {
                throw new IllegalArgumentException("The value of the key " + name + " is absent");
            }
            return key;
        }
    }

    /** Encodes values of the application as stored values. */
    interface AttributeCodec {
        @Nullable
        Object toStored(Object value);
    }
}
