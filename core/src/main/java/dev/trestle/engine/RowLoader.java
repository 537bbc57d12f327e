package dev.trestle.engine;

import java.util.concurrent.CompletionStage;

/**
 * Bulk-loads rows of another engine, with their versions. It checks no preconditions, so nothing else may use the
 * engine at the same time.
 */
public interface RowLoader {
    /** Stores the rows of a page, which the caller closes when the stage has completed. Idempotent. */
    CompletionStage<Void> load(RowPage page);
}
