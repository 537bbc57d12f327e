package dev.trestle.patterns.outbox;

import java.time.Duration;

/**
 * Options of a {@link Worker}.
 *
 * @param visibility the visibility timeout of a received message, at least 1 second. It is renewed while steps run, so it does not
 *     limit their duration; it is the delay until a message is retried after a worker crashed.
 * @param attemptsMax the number of attempts after which a message moves to the poison queue
 * @param poll the wait after finding the queue empty
 */
public record WorkerOptions(Duration visibility, int attemptsMax, Duration poll) {
    public WorkerOptions {
        if (visibility.compareTo(Duration.ofSeconds(1)) < 0 || attemptsMax < 1) {
            throw new IllegalArgumentException("visibility must be at least 1 second and attemptsMax at least 1, not "
                    + visibility + " and " + attemptsMax);
        }
    }

    /** Returns a visibility timeout of 30 seconds, 5 attempts and a poll interval of 1 second. */
    public static WorkerOptions standard() {
        return new WorkerOptions(Duration.ofSeconds(30), 5, Duration.ofSeconds(1));
    }

    public WorkerOptions withVisibility(Duration other) {
        return new WorkerOptions(other, attemptsMax, poll);
    }

    public WorkerOptions withAttemptsMax(int other) {
        return new WorkerOptions(visibility, other, poll);
    }

    public WorkerOptions withPoll(Duration other) {
        return new WorkerOptions(visibility, attemptsMax, other);
    }
}
