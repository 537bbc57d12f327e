package dev.trestle.filter;

/** The comparison operators of filters. */
public enum Operator {
    EQ("eq"),
    NE("ne"),
    GT("gt"),
    GE("ge"),
    LT("lt"),
    LE("le");

    private final String word;

    Operator(String word) {
        this.word = word;
    }

    /** Returns whether the operator is true for a comparison result, as of {@link Comparable#compareTo}. */
    public boolean holds(int order) {
        return switch (this) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case GT -> order > 0;
            case GE -> order >= 0;
            case LT -> order < 0;
            case LE -> order <= 0;
        };
    }

    /** Returns the result for incomparable types: the property sorts before the literal. */
    public boolean holdsAcrossTypes() {
        return holds(-1);
    }

    /** Returns the operator that is true if this one is false. */
    public Operator negated() {
        return switch (this) {
            case EQ -> NE;
            case NE -> EQ;
            case GT -> LE;
            case GE -> LT;
            case LT -> GE;
            case LE -> GT;
        };
    }

    /** Returns the operator of the same comparison with swapped operands. */
    public Operator mirrored() {
        return switch (this) {
            case EQ, NE -> this;
            case GT -> LT;
            case GE -> LE;
            case LT -> GT;
            case LE -> GE;
        };
    }

    @Override
    public String toString() {
        return word;
    }
}
