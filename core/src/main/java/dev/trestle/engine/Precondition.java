package dev.trestle.engine;

import java.util.Optional;

/** What must hold of a row, before the commit, for a write to it to be allowed. */
public sealed interface Precondition {
    Precondition NONE = new None();
    Precondition ABSENT = new Absent();
    Precondition PRESENT = new Present();

    static Precondition versionEquals(long version) {
        return new VersionEquals(version);
    }

    /**
     * Why the precondition fails, or empty when it holds.
     *
     * @param present whether the row is there
     * @param version the row's version; ignored when it is not there
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
