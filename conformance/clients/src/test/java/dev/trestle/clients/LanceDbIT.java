package dev.trestle.clients;

import org.junit.jupiter.api.Test;

/** LanceDB, by its package for node. */
class LanceDbIT {
    @Test
    void the_suite_of_lancedb_passes() {
        NpmSuite.run("lancedb");
    }
}
