package dev.trestle.engine;

/** The result of a commit. A refusal is an expected outcome, not an exception. */
public sealed interface CommitResult {

    /** All writes were applied; every written row is stored with this version. */
    record Committed(long version) implements CommitResult {}

    /** Nothing was applied, because of the write at this index, the first that was refused. */
    record Refused(int index, Reason reason) implements CommitResult {}

    /** Why a write was refused. */
    enum Reason {
        ROW_EXISTS,
        ROW_MISSING,
        VERSION_DIFFERS,
        TOO_MANY_COLUMNS,
        ROW_TOO_LARGE,
        COLLECTION_DROPPED
    }
}
