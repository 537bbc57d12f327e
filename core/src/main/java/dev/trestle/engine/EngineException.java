package dev.trestle.engine;

/** A failure of the engine or its storage, not of the caller's arguments. */
public final class EngineException extends RuntimeException {
    public enum Kind {
        /** A queue is full or a time limit has passed; the same request may succeed later. */
        OVERLOADED,
        /** The storage is out of space; reads still work. */
        FULL,
        /** The engine is closed or cannot reach its storage. */
        UNAVAILABLE,
        /** Stored data is damaged. */
        CORRUPT
    }

    private final Kind kind;

    public EngineException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public EngineException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
