package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.testkit.history.Workload;
import org.junit.jupiter.api.Test;

/** Histories of concurrent clients are linearizable. */
public abstract class HistoryContract extends EngineContract {
    private static final int CLIENTS = 8;
    private static final int OPERATIONS_OF_A_CLIENT = 400;

    protected HistoryContract(Opener opener) {
        super(opener);
    }

    @Test
    void concurrent_operations_on_few_rows_happen_as_if_one_after_the_other() throws Exception {
        long seed = System.nanoTime();
        Workload workload = new Workload(seed, CLIENTS, 2, 3);
        workload.run(() -> new EngineTarget(engine), OPERATIONS_OF_A_CLIENT);
        assertThat(workload.history().size()).isEqualTo(CLIENTS * OPERATIONS_OF_A_CLIENT);
        assertThat(workload.history().violation()).as("seed %s", seed).isEmpty();
    }
}
