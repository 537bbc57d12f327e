package dev.trestle.engine;

import java.util.Optional;

/** A condition on the current row that a write requires. */
public sealed interface Precondition {
    Precondition NONE = new None();
    Precondition ABSENT = new Absent();
    Precondition PRESENT = new Present();

    static Precondition versionEquals(long version) {
        return new VersionEquals(version);
    }

    /**
     * Returns why the precondition fails, or empty if it holds.
     *
     * @param present whether the row exists
     * @param version the version of the row, if it exists
     */
    Optional<CommitResult.Reason> check(boolean present, long version);

    record None() implements Precondition {
        @Override
        public Optional<CommitResult.Reason> check(boolean present, long version) {
            return Optional.empty();
        }
    }

    record Absent() implements Precondition {
        @Override
        public Optional<CommitResult.Reason> check(boolean present, long version) {
            return present ? Optional.of(CommitResult.Reason.ROW_EXISTS) : Optional.empty();
        }
    }

    record Present() implements Precondition {
        @Override
        public Optional<CommitResult.Reason> check(boolean present, long version) {
            return present ? Optional.empty() : Optional.of(CommitResult.Reason.ROW_MISSING);
        }
    }

    record VersionEquals(long expected) implements Precondition {
        @Override
        public Optional<CommitResult.Reason> check(boolean present, long version) {
            if (!present) {
                return Optional.of(CommitResult.Reason.ROW_MISSING);
            }
            return version == expected ? Optional.empty() : Optional.of(CommitResult.Reason.VERSION_DIFFERS);
        }
    }
}
