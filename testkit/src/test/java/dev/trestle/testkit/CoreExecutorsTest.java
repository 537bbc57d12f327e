package dev.trestle.testkit;

import org.junit.jupiter.api.Test;

class CoreExecutorsTest {
    @Test
    void core_runs_nothing_on_the_common_pool() {
        ExecutorRule.check(
                "dev.trestle.async",
                "dev.trestle.blob",
                "dev.trestle.catalogue",
                "dev.trestle.engine",
                "dev.trestle.queue",
                "dev.trestle.table");
    }
}
