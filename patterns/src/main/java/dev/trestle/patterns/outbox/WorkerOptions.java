package dev.trestle.patterns.outbox;

import java.time.Duration;

/**
 * How a worker works.
 *
 * @param visibility for how long other workers do not see a message that one has taken; renewed while its steps run, so this is
 *     how long a message waits after a worker died, and not how long a step may take
 * @param attemptsMax after so many attempts a message goes to the poison queue
 * @param poll how long to wait when the queue is empty
 */
public record WorkerOptions(Duration visibility, int attemptsMax, Duration poll) {
    public WorkerOptions {
        if (visibility.compareTo(Duration.ofSeconds(1)) < 0 || attemptsMax < 1) {
            throw new IllegalArgumentException("A message is hidden for a second and tried once at least");
        }
    }

    /** Half a minute, five attempts, a second. */
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
