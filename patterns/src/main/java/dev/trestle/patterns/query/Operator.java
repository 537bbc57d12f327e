package dev.trestle.patterns.query;

/** The comparisons of the service. */
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

    /** The same question where the order is the other way round. */
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
