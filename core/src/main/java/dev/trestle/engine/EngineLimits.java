package dev.trestle.engine;

import java.util.OptionalInt;

/**
 * Concurrency limits and queue limits of an engine. Requests beyond a queue limit fail as overloaded.
 *
 * @param commitsQueuedMax commits that wait to be written
 * @param commitBytesQueuedMax key and row bytes of those commits; engines that send commits to other servers
 *     ignore it
 * @param scansQueuedMax pages that wait to be read
 * @param readsQueuedMax point reads that wait for the storage
 * @param scanThreads pages read concurrently; the engine chooses if empty
 * @param readThreads point reads that access the storage concurrently; the engine chooses if empty
 */
public record EngineLimits(
        int commitsQueuedMax,
        long commitBytesQueuedMax,
        int scansQueuedMax,
        int readsQueuedMax,
        OptionalInt scanThreads,
        OptionalInt readThreads) {
    public static final EngineLimits DEFAULT =
            new EngineLimits(8192, 32L << 20, 1024, 1024, OptionalInt.empty(), OptionalInt.empty());

    public EngineLimits {
        if (commitsQueuedMax < 1
                || commitBytesQueuedMax < 1
                || scansQueuedMax < 1
                || readsQueuedMax < 1
                || scanThreads.orElse(1) < 1
                || readThreads.orElse(1) < 1) {
            throw new IllegalArgumentException("Engine limits must be at least 1.");
        }
    }
}
