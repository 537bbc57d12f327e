package dev.trestle.testkit;

import dev.trestle.engine.Engine;
import java.time.InstantSource;
import org.junit.jupiter.api.Nested;

/**
 * Every part of the engine contract. One test class of each engine extends it and says how the engine is opened, so that a
 * part added here is asked of all engines.
 */
public abstract class AllEngineContracts {

    /** Opens the engine. Within one test a second call, after the first engine was closed, finds what that one had kept. */
    protected abstract Engine open(InstantSource clock) throws Exception;

    /** Opens the engine for tests in which it is opened once; so what it is given need not survive. */
    protected Engine openOnce(InstantSource clock) throws Exception {
        return open(clock);
    }

    /** Opens the engine as {@link #openOnce}, for tests that count the rows it looks at: with no traces of earlier ones. */
    protected Engine openEmpty(InstantSource clock) throws Exception {
        return openOnce(clock);
    }

    @Nested
    class Reads extends ReadContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return openOnce(clock);
        }
    }

    @Nested
    class Scans extends ScanContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return openEmpty(clock);
        }
    }

    @Nested
    class Commits extends CommitContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return openOnce(clock);
        }
    }

    @Nested
    class Drops extends DropContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return openOnce(clock);
        }
    }

    @Nested
    class Durability extends DurabilityContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return AllEngineContracts.this.open(clock);
        }
    }

    @Nested
    class RandomHistories extends RandomHistoryContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return AllEngineContracts.this.open(clock);
        }
    }

    @Nested
    class Histories extends HistoryContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return openOnce(clock);
        }
    }

    @Nested
    class Queues extends QueueContract {
        @Override
        protected Engine open(InstantSource clock) throws Exception {
            return AllEngineContracts.this.open(clock);
        }
    }
}
