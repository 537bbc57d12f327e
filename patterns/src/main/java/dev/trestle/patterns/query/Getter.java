package dev.trestle.patterns.query;

import java.io.Serializable;

/**
 * A reference to an accessor, {@code Employee::department}, that can be asked for its name. A lambda with a body has none.
 *
 * @param <T> the class or interface that has the accessor
 * @param <V> what it returns
 */
@FunctionalInterface
public interface Getter<T, V> extends Serializable {
    V get(T owner);
}
