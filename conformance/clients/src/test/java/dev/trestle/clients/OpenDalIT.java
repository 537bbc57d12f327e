package dev.trestle.clients;

import org.junit.jupiter.api.Test;

/** Apache OpenDAL, by its package for node. */
class OpenDalIT {
    @Test
    void the_suite_of_opendal_passes() {
        NpmSuite.run("opendal");
    }
}
