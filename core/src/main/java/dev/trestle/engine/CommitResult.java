package dev.trestle.engine;

/** What became of a commit: an expected outcome either way, hence a value. */
public sealed interface CommitResult {

    /** All writes apply; every row written carries this version. */
    record Committed(long version) implements CommitResult {}

    /** Nothing applies, because of the write at this index, the first that failed. */
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
