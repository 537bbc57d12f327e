package dev.trestle.patterns.entity;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A member of a class that is stored in a property or in a key. */
record Attribute(int index, Member member, String propertyName, Codec codec, boolean encrypted) {
    String name() {
        return member.name();
    }

    /** Returns the type of the value, unwrapped from {@code Optional}. */
    Class<?> rawType() {
        return Codecs.unwrapped(member.type()) instanceof Class<?> known ? known : Object.class;
    }

    boolean isOptional() {
        return member.rawType() == Optional.class;
    }

    /** Encodes a value of the member; null if it is absent. */
    @Nullable
    Object toStored(@Nullable Object value) {
        Object present = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        return present == null ? null : codec.toStored(present);
    }

    /** Decodes a stored value to a value of the member. */
    Object fromStored(Object stored) {
        return wrapped(codec.fromStored(stored));
    }

    Object wrapped(Object value) {
        return isOptional() ? Optional.of(value) : value;
    }

    /** Returns why filters cannot compare the attribute; empty if they can. */
    String opaque() {
        if (encrypted) {
            return name() + " is encrypted, so the service cannot compare it";
        }
        return codec.json() ? name() + " is stored as JSON, which the service cannot compare" : "";
    }
}
