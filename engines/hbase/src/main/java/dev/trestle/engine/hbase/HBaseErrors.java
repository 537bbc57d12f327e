package dev.trestle.engine.hbase;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.support.StageFailures;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;

/** Maps failures of HBase requests to {@link EngineException}. */
final class HBaseErrors {
    private HBaseErrors() {}

    static EngineException closed() {
        return new EngineException(EngineException.Kind.UNAVAILABLE, "The engine is closed.");
    }

    static EngineException overloaded(String message) {
        return new EngineException(EngineException.Kind.OVERLOADED, message);
    }

    static EngineException of(Throwable failure) {
        Throwable cause = StageFailures.cause(failure);
        if (cause instanceof EngineException known) {
            return known;
        }
        if (cause instanceof IllegalStateException) {
            // Thrown by the row codec for invalid bytes.
            return new EngineException(EngineException.Kind.CORRUPT, "A stored row is damaged.", cause);
        }
        boolean isPermanent = !(cause instanceof IOException || cause instanceof TimeoutException);
        if (cause instanceof DoNotRetryIOException || isPermanent) {
            return new EngineException(EngineException.Kind.UNAVAILABLE, "The cluster rejected the request.", cause);
        }
        // A region in transition or a lost server; a retry may succeed.
        return new EngineException(EngineException.Kind.OVERLOADED, "The cluster is not responding.", cause);
    }

    /** Returns whether a retry may succeed. */
    static boolean isTemporary(Throwable failure) {
        return of(failure).kind() == EngineException.Kind.OVERLOADED;
    }

    /** Returns whether a server rejected the request before it changed anything. */
    static boolean hadNoEffect(Throwable failure) {
        // The client wraps the last failure in one with the number of attempts.
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RegionTooBusyException
                    || cause instanceof NotServingRegionException
                    || cause instanceof CallQueueTooBigException) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the request was rejected because one of its rows is in another region; only the message
     * tells.
     */
    static boolean isOutOfRegion(Throwable failure) {
        Throwable cause = StageFailures.cause(failure);
        return cause instanceof IOException
                && String.valueOf(cause.getMessage()).contains("row out of range");
    }

    /** Returns a stage with the same result that fails with {@link EngineException} only. */
    static <T> CompletionStage<T> translate(CompletionStage<T> stage) {
        CompletableFuture<T> result = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(of(failure));
            }
        });
        return result;
    }
}
