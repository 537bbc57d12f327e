package dev.trestle.engine.hbase;

import dev.trestle.engine.Engine;
import dev.trestle.testkit.AllEngineContracts;
import java.io.IOException;
import java.time.InstantSource;

/** The engine contract on a real cluster. Each test starts without rows, in a table with many tombstones. */
class HBaseEngineContractIT extends AllEngineContracts {
    private final TestCluster.Fresh rows = new TestCluster.Fresh();

    /** Without tombstones, which would count as examined rows. */
    private final TestCluster.Fresh truncated = new TestCluster.Fresh(true);

    @Override
    protected Engine open(InstantSource clock) throws IOException {
        return rows.open(clock);
    }

    @Override
    protected Engine openEmpty(InstantSource clock) throws IOException {
        return truncated.open(clock);
    }
}
