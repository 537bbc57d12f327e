package dev.trestle.patterns.query;

/** The left side of a comparison: a property or key by its name on the service, or an attribute of a class. */
sealed interface Operand {
    /** A name on the service. */
    record Named(String name) implements Operand {}

    /** An attribute, to be resolved by a mapping. */
    record Declared(Class<?> owner, String attribute) implements Operand {}
}
