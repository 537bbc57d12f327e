package dev.trestle.engine;

import java.util.List;
import java.util.Optional;

/** How an engine can be watched. Beside the {@link Engine} and no part of it: an engine works the same unwatched. */
public interface EngineTelemetry {
    /** That of an engine which tells nothing. */
    EngineTelemetry NONE = new EngineTelemetry() {
        @Override
        public List<Metric> figures() {
            return List.of();
        }

        @Override
        public void observe(CommitObserver observer) {}
    };

    /** The same figures for as long as the engine is open. */
    List<Metric> figures();

    /** The ranges it has spread over servers; empty when there is only this process. */
    default Optional<PartitionRanges> ranges() {
        return Optional.empty();
    }

    /** What is wrong with the stored rows, in a sentence for the person who runs the server; empty when nothing is known. */
    default Optional<String> damage() {
        return Optional.empty();
    }

    /** From now on this one is told of groups of commits, instead of the one before. */
    void observe(CommitObserver observer);
}
