package dev.trestle.engine;

import java.util.concurrent.CompletionStage;

/** Compares the rows that an engine has stored with their checksums, while the engine is used. */
@FunctionalInterface
public interface RowVerification {
    /** Told what is found, on one thread, one thing after the other. What it throws ends the verification. */
    interface Findings {
        /** A file of rows was read and is what was written. */
        void sound(long bytes);

        /**
         * A file of rows cannot be read, or is not what was written.
         *
         * @param file its path in the data folder
         */
        void damaged(String file, long bytes, String what);
    }

    /** Reads all rows that are in files. The stage completes when all were read, damaged or not. */
    CompletionStage<Void> verify(Findings findings);
}
