package dev.trestle.engine;

import java.util.concurrent.CompletionStage;

/**
 * Takes rows as another engine stored them, versions included, to move data from one to the other. Nobody else may use the
 * engine meanwhile: conditions are not looked at.
 */
public interface RowLoader {
    /** Stores the rows of a page; to do it twice is to do it once. */
    CompletionStage<Void> load(RowPage page);
}
