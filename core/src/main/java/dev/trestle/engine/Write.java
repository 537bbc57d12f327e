package dev.trestle.engine;

import dev.trestle.keyspace.Key;

/** One change of one row. Encoded rows given here pass to the engine, which stamps the version into them. */
public sealed interface Write {
    Key key();

    Precondition precondition();

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
    record RowLimits(int columnsMax, int keyUnits, int bytesMax) {}
}
