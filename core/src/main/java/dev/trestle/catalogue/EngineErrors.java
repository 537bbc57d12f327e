package dev.trestle.catalogue;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The engine's trouble in the words of the services; the one place where that happens. */
public final class EngineErrors {
    private static final String DISK_FULL =
            "The disk of the server is full. Writes are refused until there is room on it"
                    + " again; reads are answered.";

    private EngineErrors() {}

    /** The same stage, failing with a {@link StorageException} where the caller can do something about it. */
    public static <T> CompletionStage<T> answered(CompletionStage<T> stage) {
        return stage.exceptionallyCompose(failure -> {
            Throwable cause = StageFailures.cause(failure);
            return CompletableFuture.failedFuture(cause instanceof EngineException trouble ? answerTo(trouble) : cause);
        });
    }

    private static RuntimeException answerTo(EngineException trouble) {
        return switch (trouble.kind()) {
            case OVERLOADED -> new StorageException(StorageError.SERVER_BUSY);
            // The service's own word for a server that cannot now; its message says what can be done.
            case FULL -> new StorageException(StorageError.SERVER_BUSY, DISK_FULL);
            case UNAVAILABLE, CORRUPT -> trouble;
        };
    }
}
