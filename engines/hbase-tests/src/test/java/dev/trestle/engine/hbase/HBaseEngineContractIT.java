package dev.trestle.engine.hbase;

import dev.trestle.engine.Engine;
import dev.trestle.testkit.CommitContract;
import dev.trestle.testkit.DropContract;
import dev.trestle.testkit.DurabilityContract;
import dev.trestle.testkit.HistoryContract;
import dev.trestle.testkit.QueueContract;
import dev.trestle.testkit.RandomHistoryContract;
import dev.trestle.testkit.ReadContract;
import dev.trestle.testkit.ScanContract;
import java.io.IOException;
import java.time.InstantSource;
import org.junit.jupiter.api.Nested;

/** The engine contract on a real cluster. Each test begins with no rows, in a table that had many. */
class HBaseEngineContractIT {
    private final TestCluster.Fresh rows = new TestCluster.Fresh();

    @Nested
    class Reads extends ReadContract {
        @Override
        protected Engine open(InstantSource clock) throws IOException {
            return rows.open(clock);
        }
    }

    @Nested
    class Scans extends ScanContract {
        // What is examined is counted here, and deletions would count.
        private final TestCluster.Fresh truncated = new TestCluster.Fresh(true);

        @Override
        protected Engine open(InstantSource clock) throws IOException {
            return truncated.open(clock);
        }
    }

    @Nested
    class Commits extends CommitContract {
        @Override
        protected Engine open(InstantSource clock) throws IOException {
            return rows.open(clock);
        }
    }

    @Nested
    class Drops extends DropContract {
        @Override
        protected Engine open(InstantSource clock) throws IOException {
            return rows.open(clock);
        }
    }

    @Nested
    class Durability extends DurabilityContract {
        @Override
        protected Engine open(InstantSource clock) throws IOException {
            return rows.open(clock);
        }
    }

    @Nested
    class RandomHistories extends RandomHistoryContract {
        @Override
        protected Engine open(InstantSource clock) throws IOException {
            return rows.open(clock);
        }
    }

    @Nested
    class Histories extends HistoryContract {
        @Override
        protected Engine open(InstantSource clock) throws IOException {
            return rows.open(clock);
        }
    }

    @Nested
    class Queues extends QueueContract {
        @Override
        protected Engine open(InstantSource clock) throws IOException {
            return rows.open(clock);
        }
    }
}
