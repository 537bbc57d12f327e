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

/** Turns what goes wrong on the way to the cluster into the one exception callers may see. */
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
            // Thrown by the row format when bytes are not those of a row.
            return new EngineException(EngineException.Kind.CORRUPT, "A stored row is damaged.", cause);
        }
        boolean inVain = !(cause instanceof IOException || cause instanceof TimeoutException);
        if (cause instanceof DoNotRetryIOException || inVain) {
            return new EngineException(EngineException.Kind.UNAVAILABLE, "The cluster refuses to answer.", cause);
        }
        // A region that moves, a server that went away: what was asked for may be asked again.
        return new EngineException(EngineException.Kind.OVERLOADED, "The cluster does not answer now.", cause);
    }

    /** Whether the same request may succeed in a moment. */
    static boolean isTemporary(Throwable failure) {
        return of(failure).kind() == EngineException.Kind.OVERLOADED;
    }

    /** Whether a server turned the request away before it changed anything. */
    static boolean hadNoEffect(Throwable failure) {
        // The client wraps the last failure in one that says how often it tried.
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RegionTooBusyException
                    || cause instanceof NotServingRegionException
                    || cause instanceof CallQueueTooBigException) {
                return true;
            }
        }
        return false;
    }

    /** Whether a request was turned away because a row of it is in another region; the server says so in words only. */
    static boolean isOutOfRegion(Throwable failure) {
        Throwable cause = StageFailures.cause(failure);
        return cause instanceof IOException
                && String.valueOf(cause.getMessage()).contains("row out of range");
    }

    /** The same stage, failing with the engine's own exception itself. */
    static <T> CompletionStage<T> answered(CompletionStage<T> stage) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(of(failure));
            }
        });
        return answer;
    }
}
