package dev.trestle.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The key ranges that a distributed engine has spread over its servers, each of whole partitions. Stages fail with
 * {@link EngineException}, whose message is for the operator.
 */
public interface PartitionRanges {
    /** Returns all ranges, in key order. */
    CompletionStage<List<Range>> list();

    /** Returns the names of all live servers, with and without ranges. */
    CompletionStage<List<String>> servers();

    /**
     * Splits a range; completes when both parts are served.
     *
     * @param at the first key of the second part, between two partitions; near the middle if empty
     */
    CompletionStage<Void> split(String id, Optional<byte[]> at);

    /** Merges two adjacent ranges; completes when the result is served. */
    CompletionStage<Void> merge(String id, String next);

    /** Moves a range to a server, or to any other one if empty; completes when that serves it. */
    CompletionStage<Void> move(String id, Optional<String> server);

    /**
     * One range.
     *
     * @param from the inclusive lower bound; empty for the first range
     * @param to the exclusive upper bound; empty for the last range
     * @param server empty while no server serves the range
     * @param reads read requests since its server opened the range
     * @param writes write requests since then
     */
    record Range(String id, byte[] from, byte[] to, Optional<String> server, long bytes, long reads, long writes) {}
}
