package dev.trestle.patterns.query;

/** The comparison operators of the service. */
public enum Operator {
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE;

    String text() {
        return switch (this) {
            case EQ -> "eq";
            case NE -> "ne";
            case LT -> "lt";
            case LE -> "le";
            case GT -> "gt";
            case GE -> "ge";
        };
    }

    /** Returns the equivalent operator for the reverse order. */
    Operator reversed() {
        return switch (this) {
            case EQ -> EQ;
            case NE -> NE;
            case LT -> GT;
            case LE -> GE;
            case GT -> LT;
            case GE -> LE;
        };
    }
}
