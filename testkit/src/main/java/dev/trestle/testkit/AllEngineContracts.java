package dev.trestle.testkit;

import dev.trestle.engine.Engine;
import java.time.InstantSource;
import org.junit.jupiter.api.Nested;

/**
 * All parts of the engine contract. One test class of each engine extends it and opens the engine, so that a part
 * added here runs for all engines.
 */
public abstract class AllEngineContracts {

    /** Opens the engine. A second call in one test, after the first engine was closed, opens the same data. */
    protected abstract Engine open(InstantSource clock) throws Exception;

    /** Opens the engine for tests that open it once, so its data need not survive. */
    protected Engine openOnce(InstantSource clock) throws Exception {
        return open(clock);
    }

    /** Opens the engine as {@link #openOnce}, for tests that count the rows it looks at: with no traces of earlier ones. */
    protected Engine openEmpty(InstantSource clock) throws Exception {
        return openOnce(clock);
    }

    @Nested
    class Reads extends ReadContract {
        Reads() {
            super(AllEngineContracts.this::openOnce);
        }
    }

    @Nested
    class Scans extends ScanContract {
        Scans() {
            super(AllEngineContracts.this::openEmpty);
        }
    }

    @Nested
    class Commits extends CommitContract {
        Commits() {
            super(AllEngineContracts.this::openOnce);
        }
    }

    @Nested
    class Drops extends DropContract {
        Drops() {
            super(AllEngineContracts.this::openOnce);
        }
    }

    @Nested
    class Durability extends DurabilityContract {
        Durability() {
            super(AllEngineContracts.this::open);
        }
    }

    @Nested
    class RandomHistories extends RandomHistoryContract {
        RandomHistories() {
            super(AllEngineContracts.this::open);
        }
    }

    @Nested
    class Histories extends HistoryContract {
        Histories() {
            super(AllEngineContracts.this::openOnce);
        }
    }

    @Nested
    class QueueMessages extends QueueMessagesContract {
        QueueMessages() {
            super(AllEngineContracts.this::open);
        }
    }

    @Nested
    class RandomQueues extends RandomQueueContract {
        RandomQueues() {
            super(AllEngineContracts.this::open);
        }
    }
}
