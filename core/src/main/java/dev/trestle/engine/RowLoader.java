package dev.trestle.engine;

import java.util.concurrent.CompletionStage;

/**
 * Bulk-loads rows of another engine, with their versions. It checks no preconditions, so nothing else may use the engine at
 * the same time.
 */
public interface RowLoader {
    /** Stores copies of the rows of a page. Idempotent. */
    CompletionStage<Void> load(RowPage page);
}
