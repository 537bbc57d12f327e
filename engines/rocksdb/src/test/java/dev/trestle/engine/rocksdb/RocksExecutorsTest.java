package dev.trestle.engine.rocksdb;

import dev.trestle.testkit.ExecutorRule;
import org.junit.jupiter.api.Test;

class RocksExecutorsTest {
    @Test
    void the_engine_runs_nothing_on_the_common_pool() {
        ExecutorRule.check("dev.trestle.engine.rocksdb", "dev.trestle.engine.files");
    }
}
