package dev.trestle.filter;

/** How a property may be compared with a literal. */
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

    /** Whether the operator holds when the property compares to the literal as {@code order} says. */
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

    /** The answer for a property whose type cannot be compared with the literal's: it sorts below. */
    public boolean holdsAcrossTypes() {
        return holds(-1);
    }

    /** The operator that holds exactly when this one does not. */
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

    /** The operator for the same comparison written the other way round. */
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
