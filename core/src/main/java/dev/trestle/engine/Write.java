package dev.trestle.engine;

import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A change of one row. The engine never modifies the encoded rows in it, so the same write may be committed again;
 * nobody else may modify them until the commit completes. An engine stores a row with the version of its commit,
 * whatever version the given row has, and returns that version in {@link CommitResult.Committed}.
 */
public sealed interface Write {
    Key key();

    Precondition precondition();

    /** Returns a write that changes nothing, but refuses the commit if the row exists. */
    static Write requireAbsent(Key key) {
        return new Delete(key, Precondition.ABSENT);
    }

    /**
     * Checks the precondition and computes the new row, without the version of the commit. Does not modify its
     * arguments; the result may be one of them.
     *
     * @param current the current row, null if there is none; for a put or a delete, its version is enough
     */
    default Outcome on(byte @Nullable [] current) {
        Optional<CommitResult.Reason> refusal =
                precondition().check(current != null, current == null ? 0 : Rows.version(current));
        if (refusal.isPresent()) {
            return new Outcome(refusal, null);
        }
        if (this instanceof Put put) {
            return new Outcome(Optional.empty(), put.row);
        } else if (this instanceof Merge merge) {
            byte[] merged = current == null ? merge.columns : Rows.merge(current, merge.columns);
            return new Outcome(merge.limits.check(merged), merged);
        }
        return new Outcome(Optional.empty(), null);
    }

    /** Why a write is refused; if it is not, the new row, null if there is to be none. */
    record Outcome(Optional<CommitResult.Reason> refusal, byte @Nullable [] row) {}

    /** Inserts or replaces the row. */
    record Put(Key key, byte[] row, Precondition precondition) implements Write {}

    /**
     * Sets the given columns and keeps the others; inserts the row if there is none and the precondition allows
     * it. A result beyond the limits refuses the commit.
     */
    record Merge(Key key, byte[] columns, Precondition precondition, RowLimits limits) implements Write {}

    record Delete(Key key, Precondition precondition) implements Write {}

    /**
     * Limits of a merged row.
     *
     * @param keyUnits length of the row's keys in UTF-16 code units, which count towards its size
     * @param bytesMax limit of the size, as {@code Rows.withinDocumentedSize} computes it
     */
    record RowLimits(int columnsMax, int keyUnits, int bytesMax) {
        Optional<CommitResult.Reason> check(byte[] row) {
            if (Rows.propertyCount(row) > columnsMax) {
                return Optional.of(CommitResult.Reason.TOO_MANY_COLUMNS);
            }
            return Rows.withinDocumentedSize(keyUnits, row, bytesMax)
                    ? Optional.empty()
                    : Optional.of(CommitResult.Reason.ROW_TOO_LARGE);
        }
    }
}
