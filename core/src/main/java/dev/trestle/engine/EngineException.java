package dev.trestle.engine;

/** The engine cannot do now what it was asked: its trouble, not the caller's. */
public final class EngineException extends RuntimeException {
    /** What kind of trouble. */
    public enum Kind {
        /** Too much is under way; the same request may be sent again after a while. */
        OVERLOADED,
        /** There is no room left to write to; what is stored can still be read. */
        FULL,
        /** The engine is closed or cannot reach its storage. */
        UNAVAILABLE,
        /** Stored bytes are not what was written. */
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
