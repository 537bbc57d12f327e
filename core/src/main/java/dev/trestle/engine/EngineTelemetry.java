package dev.trestle.engine;

import java.util.List;
import java.util.Optional;

/** Metrics and health of an {@link Engine}, which works the same without it. */
public interface EngineTelemetry {
    /** The telemetry of an engine that reports nothing. */
    EngineTelemetry NONE = new EngineTelemetry() {
        @Override
        public List<Metric> metrics() {
            return List.of();
        }

        @Override
        public void observe(CommitObserver observer) {}
    };

    /** Returns the metrics, which stay the same while the engine is open. */
    List<Metric> metrics();

    /** Describes known damage of stored rows, for the operator; empty if none is known. */
    default Optional<String> damage() {
        return Optional.empty();
    }

    /** Replaces the observer of commit groups. */
    void observe(CommitObserver observer);
}
