package dev.trestle.patterns.entity;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A member of a class that becomes a property or part of a key. */
record Attribute(int index, Member member, String propertyName, Codec codec, boolean encrypted) {
    String name() {
        return member.name();
    }

    /** The type of the value itself, with no {@code Optional} around it. */
    Class<?> rawType() {
        return Codecs.unwrapped(member.type()) instanceof Class<?> known ? known : Object.class;
    }

    boolean isOptional() {
        return member.rawType() == Optional.class;
    }

    /** What is stored for a value of the member, or null for nothing. */
    @Nullable
    Object toStored(@Nullable Object value) {
        Object present = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        return present == null ? null : codec.toStored(present);
    }

    /** The value of the member for what is stored. */
    Object fromStored(Object stored) {
        return wrapped(codec.fromStored(stored));
    }

    Object wrapped(Object value) {
        return isOptional() ? Optional.of(value) : value;
    }

    /** Why no filter can ask for the value, or empty if one can. */
    String opaque() {
        if (encrypted) {
            return name() + " is encrypted, and the service cannot compare what it cannot read";
        }
        return codec.json() ? name() + " is stored as JSON, which the service cannot look into" : "";
    }
}
