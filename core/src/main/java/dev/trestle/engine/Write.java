package dev.trestle.engine;

import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One change of one row. Encoded rows given here pass to the engine, which stamps the version into them. */
public sealed interface Write {
    Key key();

    Precondition precondition();

    /** Changes nothing, but refuses the commit if there is such a row. */
    static Write requireAbsent(Key key) {
        return new Delete(key, Precondition.ABSENT);
    }

    /**
     * What the write makes of its row.
     *
     * @param current the row as it is, null when there is none; of a row that is put or deleted its version is enough
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

    /** Why a write is refused or, when it is not, the row it makes, null when there is to be none. */
    record Outcome(Optional<CommitResult.Reason> refusal, byte @Nullable [] row) {}

    /** Makes the row what is given, whatever it was. */
    record Put(Key key, byte[] row, Precondition precondition) implements Write {}

    /**
     * Sets the given columns and keeps the others; makes the row where there is none and the precondition allows it. A
     * result past the limits refuses the commit.
     */
    record Merge(Key key, byte[] columns, Precondition precondition, RowLimits limits) implements Write {}

    record Delete(Key key, Precondition precondition) implements Write {}

    /**
     * What a merged row may become.
     *
     * @param keyUnits UTF-16 units of the row's keys as they count towards its size
     * @param bytesMax by {@code Rows.withinDocumentedSize}
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
