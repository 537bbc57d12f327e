package dev.trestle.table;

import dev.trestle.engine.Precondition;
import dev.trestle.model.EntityKey;

/**
 * A write of one entity.
 *
 * @param row the encoded properties: all of them, those to set for a merge, none for a delete
 */
public record EntityWrite(Kind kind, EntityKey key, byte[] row, Precondition precondition) {
    private static final byte[] NO_ROW = new byte[0];

    /** The operations of the protocol. */
    public enum Kind {
        INSERT,
        REPLACE,
        MERGE,
        INSERT_OR_REPLACE,
        INSERT_OR_MERGE,
        DELETE
    }

    public static EntityWrite insert(EntityKey key, byte[] row) {
        return new EntityWrite(Kind.INSERT, key, row, Precondition.ABSENT);
    }

    public static EntityWrite replace(EntityKey key, byte[] row, Precondition condition) {
        return new EntityWrite(Kind.REPLACE, key, row, condition);
    }

    public static EntityWrite merge(EntityKey key, byte[] columns, Precondition condition) {
        return new EntityWrite(Kind.MERGE, key, columns, condition);
    }

    public static EntityWrite insertOrReplace(EntityKey key, byte[] row) {
        return new EntityWrite(Kind.INSERT_OR_REPLACE, key, row, Precondition.NONE);
    }

    public static EntityWrite insertOrMerge(EntityKey key, byte[] columns) {
        return new EntityWrite(Kind.INSERT_OR_MERGE, key, columns, Precondition.NONE);
    }

    public static EntityWrite delete(EntityKey key, Precondition condition) {
        return new EntityWrite(Kind.DELETE, key, NO_ROW, condition);
    }
}
