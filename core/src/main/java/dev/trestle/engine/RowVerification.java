package dev.trestle.engine;

import java.util.concurrent.CompletionStage;

/** Verifies the checksums of stored rows while the engine is in use. */
@FunctionalInterface
public interface RowVerification {
    /** Receives the results, one at a time, on one thread. An exception ends the verification. */
    interface Findings {
        /** Called for each file without damage. */
        void sound(long bytes);

        /**
         * Called for each file that cannot be read or fails its checksums.
         *
         * @param file its path in the data folder
         */
        void damaged(String file, long bytes, String what);
    }

    /** Verifies all rows in files. The stage completes when every file was read, damaged or not. */
    CompletionStage<Void> verify(Findings findings);
}
