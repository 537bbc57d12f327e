package dev.trestle.testkit;

import dev.trestle.engine.Engine;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/** The model passes the contract it is the oracle of. */
class ModelEngineContractTest {
    /** Opens a model that finds what the one before it has kept. */
    private static final class Models {
        private Optional<ModelEngine> last = Optional.empty();

        Engine open(InstantSource clock) {
            ModelEngine opened = last.map(closed -> closed.reopen(clock)).orElseGet(() -> new ModelEngine(clock));
            last = Optional.of(opened);
            return opened;
        }
    }

    private final Models models = new Models();

    @Nested
    class Reads extends ReadContract {
        @Override
        protected Engine open(InstantSource clock) {
            return models.open(clock);
        }
    }

    @Nested
    class Scans extends ScanContract {
        @Override
        protected Engine open(InstantSource clock) {
            return models.open(clock);
        }
    }

    @Nested
    class Commits extends CommitContract {
        @Override
        protected Engine open(InstantSource clock) {
            return models.open(clock);
        }
    }

    @Nested
    class Drops extends DropContract {
        @Override
        protected Engine open(InstantSource clock) {
            return models.open(clock);
        }
    }

    @Nested
    class Durability extends DurabilityContract {
        @Override
        protected Engine open(InstantSource clock) {
            return models.open(clock);
        }
    }

    @Nested
    class RandomHistories extends RandomHistoryContract {
        @Override
        protected Engine open(InstantSource clock) {
            return models.open(clock);
        }
    }

    @Nested
    class Histories extends HistoryContract {
        @Override
        protected Engine open(InstantSource clock) {
            return models.open(clock);
        }
    }

    @Nested
    class Queues extends QueueContract {
        @Override
        protected Engine open(InstantSource clock) {
            return models.open(clock);
        }
    }
}
