package dev.trestle.engine.hbase;

import dev.trestle.testkit.ExecutorRule;
import org.junit.jupiter.api.Test;

class HBaseExecutorsTest {
    @Test
    void the_engine_runs_nothing_on_the_common_pool() {
        ExecutorRule.check("dev.trestle.engine.hbase");
    }
}
