package dev.trestle.benchmarks.load;

/** A queue under load. */
public record QueueTarget(Endpoint endpoint, String queue) {
    QueueDialect newDialect() {
        return new QueueDialect(endpoint, queue);
    }
}
