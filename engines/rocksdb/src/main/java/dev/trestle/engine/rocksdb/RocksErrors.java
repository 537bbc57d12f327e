package dev.trestle.engine.rocksdb;

import dev.trestle.engine.EngineException;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Maps failures inside the engine to {@link EngineException}. */
final class RocksErrors {
    private RocksErrors() {}

    static EngineException closed() {
        return new EngineException(EngineException.Kind.UNAVAILABLE, "The engine is closed.");
    }

    static EngineException of(Throwable failure) {
        if (failure instanceof EngineException known) {
            return known;
        }
        if (is(failure, Status.Code.Corruption)) {
            return new EngineException(EngineException.Kind.CORRUPT, "Stored data is damaged.", failure);
        }
        if (isNoSpace(failure)) {
            return new EngineException(EngineException.Kind.FULL, "The disk is full.", failure);
        }
        if (failure instanceof IllegalStateException) {
            // Thrown by the row codec for invalid bytes.
            return new EngineException(EngineException.Kind.CORRUPT, "A stored row is damaged.", failure);
        }
        return new EngineException(EngineException.Kind.UNAVAILABLE, "The storage cannot be used now.", failure);
    }

    static boolean is(Throwable failure, Status.Code code) {
        return failure instanceof RocksDBException e
                && e.getStatus() != null
                && e.getStatus().getCode() == code;
    }

    static boolean isNoSpace(Throwable failure) {
        return failure instanceof RocksDBException e
                && e.getStatus() != null
                && e.getStatus().getSubCode() == Status.SubCode.NoSpace;
    }
}
