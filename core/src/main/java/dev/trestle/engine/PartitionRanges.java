package dev.trestle.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The ranges of keys that an engine has spread over its servers, each of whole partitions. Beside the {@link Engine} and no
 * part of it, as {@link EngineTelemetry} is. Stages fail with {@link EngineException}, whose message is for people.
 */
public interface PartitionRanges {
    /** All ranges, in the order of their keys. */
    CompletionStage<List<Range>> list();

    /** The servers that ranges may be on, by name, whether they have any now or not. */
    CompletionStage<List<String>> servers();

    /**
     * Makes two of one; completes when both are served.
     *
     * @param at the first key of the second, between two partitions; about the middle when empty
     */
    CompletionStage<Void> split(String id, Optional<byte[]> at);

    /** Makes one of two that follow each other; completes when it is served. */
    CompletionStage<Void> merge(String id, String next);

    /** Has another server serve the range, any when empty; completes when it does. */
    CompletionStage<Void> move(String id, Optional<String> server);

    /**
     * One range.
     *
     * @param from the least key it may hold, empty at the beginning of all
     * @param to the least key beyond it, empty at the end of all
     * @param server empty while nobody serves it
     * @param reads requests since its server took it
     * @param writes the same
     */
    record Range(String id, byte[] from, byte[] to, Optional<String> server, long bytes, long reads, long writes) {}
}
