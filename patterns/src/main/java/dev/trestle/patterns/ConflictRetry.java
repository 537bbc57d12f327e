package dev.trestle.patterns;

import com.azure.core.exception.HttpResponseException;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * A retry policy for optimistic concurrency: repeats a read followed by a conditional write while it loses to other writers, with
 * exponential backoff and jitter. Rethrows the conflict of the last attempt.
 *
 * @param attempts the maximum number of attempts
 * @param firstWait the wait before the second attempt, without jitter; it doubles with each attempt
 * @param longestWait the maximum wait
 */
public record ConflictRetry(int attempts, Duration firstWait, Duration longestWait) {
    private static final Set<TableErrorCode> CONFLICTS = Set.of(
            TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED,
            TableErrorCode.ENTITY_ALREADY_EXISTS,
            TableErrorCode.fromString("ConditionNotMet"));
    private static final Set<Integer> CONFLICT_STATUSES = Set.of(409, 412);

    public ConflictRetry {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1, not " + attempts);
        }
    }

    /** Returns 20 attempts with waits from 5 ms to 500 ms. */
    public static ConflictRetry standard() {
        return new ConflictRetry(20, Duration.ofMillis(5), Duration.ofMillis(500));
    }

    /** Returns whether a failure is a conflict with another writer. */
    public static boolean isConflict(Throwable failure) {
        if (failure instanceof TableServiceException error) {
            return error.getValue() != null
                    && CONFLICTS.contains(error.getValue().getErrorCode());
        }
        // The exceptions of blobs and queues; their own types need not be on the class path.
        return failure instanceof HttpResponseException error
                && error.getResponse() != null
                && CONFLICT_STATUSES.contains(error.getResponse().getStatusCode());
    }

    /** Includes entities deleted by another writer since they were read. A missing table has a different error code. */
    private static boolean isRetriable(Throwable failure) {
        return isConflict(failure)
                || (failure instanceof TableServiceException error
                        && error.getValue() != null
                        && TableErrorCode.RESOURCE_NOT_FOUND.equals(
                                error.getValue().getErrorCode()));
    }

    /** Runs the work until it does not conflict and returns its result. */
    public <R> R call(Supplier<R> work) {
        long waitMillis = Math.max(1, firstWait.toMillis());
        for (int attempt = 1; ; attempt++) {
            try {
                return work.get();
            } catch (HttpResponseException e) {
                if (!isRetriable(e) || attempt >= attempts) {
                    throw e;
                }
            }
            sleep(ThreadLocalRandom.current().nextLong(waitMillis) + 1);
            waitMillis = Math.min(2 * waitMillis, longestWait.toMillis());
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting to retry", e);
        }
    }

    /** Like {@link #call} for non-blocking work, which is supplied and subscribed to again for each attempt. */
    public <R> Mono<R> mono(Supplier<Mono<R>> work) {
        return Mono.defer(work)
                .retryWhen(Retry.backoff(attempts - 1L, firstWait)
                        .maxBackoff(longestWait)
                        .filter(ConflictRetry::isRetriable)
                        .onRetryExhaustedThrow((spec, signal) -> signal.failure()));
    }
}
