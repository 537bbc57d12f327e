package dev.trestle.patterns.entity;

import org.jspecify.annotations.Nullable;

/** Where an attribute of a class is stored: in a property, or in a key of which it is the only component. */
public sealed interface Place {
    /** The name of the property or key. */
    String name();

    /** What is stored there for a value of the attribute; for a key, the whole key. */
    Object stored(Object value);

    /**
     * In a property.
     *
     * @param opaque why no filter can ask for the value, or empty if one can
     * @param keyPart whether a key is made of it as well, so that it cannot change without the key
     */
    record InProperty(String name, AttributeCodec codec, String opaque, boolean keyPart) implements Place {
        @Override
        public Object stored(Object value) {
            Object stored = codec.toStored(value);
            if (stored == null) {
                throw new IllegalArgumentException("Nothing is stored for an empty value of " + name
                        + ", and nothing cannot be asked for or merged");
            }
            return stored;
        }
    }

    /**
     * In a key, as {@code prefix + value + suffix}.
     *
     * @param ordering 1 if keys sort as values do, -1 if the other way round, 0 if neither
     */
    record InKey(String name, String prefix, String suffix, int ordering, AttributeCodec codec) implements Place {
        @Override
        public Object stored(Object value) {
            Object key = codec.toStored(value);
            if (key == null) {
                throw new IllegalArgumentException("A key is never empty: " + name);
            }
            return key;
        }
    }

    /** The way from a value of the application to what is stored. */
    interface AttributeCodec {
        @Nullable
        Object toStored(Object value);
    }
}
