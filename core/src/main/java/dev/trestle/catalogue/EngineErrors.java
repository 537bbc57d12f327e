package dev.trestle.catalogue;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Translates failures of the engine into errors of the service. No other class does. */
public final class EngineErrors {
    private static final String DISK_FULL =
            "The disk of the server is full. Writes are refused until there is room on it"
                    + " again; reads are answered.";

    private EngineErrors() {}

    /** Returns the same stage, failing with a {@link StorageException} where the client can retry. */
    public static <T> CompletionStage<T> translateFailures(CompletionStage<T> stage) {
        return stage.exceptionallyCompose(failure -> {
            Throwable cause = StageFailures.cause(failure);
            return CompletableFuture.failedFuture(cause instanceof EngineException error ? translate(error) : cause);
        });
    }

    private static RuntimeException translate(EngineException failure) {
        return switch (failure.kind()) {
            case OVERLOADED -> new StorageException(StorageError.SERVER_BUSY);
            // The code that clients retry; the message says what an operator can do.
            case FULL -> new StorageException(StorageError.SERVER_BUSY, DISK_FULL);
            case UNAVAILABLE, CORRUPT -> failure;
        };
    }
}
