package dev.trestle.patterns.query;

import java.io.Serializable;

/**
 * A method reference to an accessor, such as {@code Employee::department}, whose name can be read at run time. Lambdas with a body
 * are not supported.
 *
 * @param <T> the class or interface that declares the accessor
 * @param <V> the type of the attribute
 */
@FunctionalInterface
public interface Getter<T, V> extends Serializable {
    V get(T owner);
}
