package dev.trestle.engine.rocksdb;

import dev.trestle.engine.EngineException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the operations that failed because stored rows are damaged. Thread-safe. */
final class RowDamage {
    private static final Logger LOG = LoggerFactory.getLogger(RowDamage.class);

    private final LongAdder failures = new LongAdder();
    private volatile boolean known;

    /** Maps a failure to the exception that callers get, and counts it if it is damage. */
    EngineException failure(Throwable thrown) {
        EngineException failure = RocksErrors.of(thrown);
        if (failure.kind() == EngineException.Kind.CORRUPT) {
            failures.increment();
            if (!known) {
                known = true;
                // Logged once until it is cleared, because every operation on these rows fails.
                LOG.error("Stored rows are damaged. Run trestle scrub to see which files", failure);
            }
        }
        return failure;
    }

    /** Clears the state after a verification without damage. */
    void clear() {
        known = false;
    }

    long failures() {
        return failures.sum();
    }

    Optional<String> sentence() {
        return known
                ? Optional.of("Stored rows are damaged: some operations fail. Run trestle scrub to see which files are"
                        + " damaged, and restore the data from a backup. This clears when a scrub finds no damaged rows, or"
                        + " at a restart.")
                : Optional.empty();
    }
}
