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
 * Does work again that lost to another writer: work that reads, decides, and writes on the condition that nothing changed in
 * between. Waits a little longer and at random before each attempt; the last failure is the caller's.
 */
public record ConflictRetry(int attempts, Duration firstWait, Duration longestWait) {
    private static final Set<TableErrorCode> CONFLICTS = Set.of(
            TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED,
            TableErrorCode.ENTITY_ALREADY_EXISTS,
            TableErrorCode.fromString("ConditionNotMet"));
    private static final Set<Integer> CONFLICT_STATUSES = Set.of(409, 412);

    public ConflictRetry {
        if (attempts < 1) {
            throw new IllegalArgumentException("There has to be one attempt at least");
        }
    }

    /** Twenty attempts, waiting from 5 milliseconds to half a second. */
    public static ConflictRetry standard() {
        return new ConflictRetry(20, Duration.ofMillis(5), Duration.ofMillis(500));
    }

    /** Whether a failure says that another writer was first. */
    public static boolean isConflict(Throwable failure) {
        if (failure instanceof TableServiceException refused) {
            return refused.getValue() != null
                    && CONFLICTS.contains(refused.getValue().getErrorCode());
        }
        // Of blobs and queues, whose own exceptions need not be on the class path.
        return failure instanceof HttpResponseException refused
                && refused.getResponse() != null
                && CONFLICT_STATUSES.contains(refused.getResponse().getStatusCode());
    }

    /** What was read before and is gone now was deleted by another writer. A missing table has a code of its own. */
    private static boolean isWorthAnother(Throwable failure) {
        return isConflict(failure)
                || (failure instanceof TableServiceException refused
                        && refused.getValue() != null
                        && TableErrorCode.RESOURCE_NOT_FOUND.equals(
                                refused.getValue().getErrorCode()));
    }

    /** The result of the first attempt that does not end in a conflict, nor in finding that something is gone. */
    public <R> R call(Supplier<R> work) {
        long waitMillis = Math.max(1, firstWait.toMillis());
        for (int attempt = 1; ; attempt++) {
            try {
                return work.get();
            } catch (HttpResponseException e) {
                if (!isWorthAnother(e) || attempt >= attempts) {
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
            throw new IllegalStateException("Interrupted while waiting for another attempt", e);
        }
    }

    /** The same for work that does not wait. It is subscribed to again for each attempt. */
    public <R> Mono<R> mono(Supplier<Mono<R>> work) {
        return Mono.defer(work)
                .retryWhen(Retry.backoff(attempts - 1L, firstWait)
                        .maxBackoff(longestWait)
                        .filter(ConflictRetry::isWorthAnother)
                        .onRetryExhaustedThrow((spec, signal) -> signal.failure()));
    }
}
