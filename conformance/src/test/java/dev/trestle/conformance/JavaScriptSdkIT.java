package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The suite of the official JavaScript SDK on a cluster; on the embedded engine the build runs it by itself. */
class JavaScriptSdkIT {
    @Test
    void the_suite_passes_on_a_cluster() throws Exception {
        String launcher = Path.of(System.getProperty("trestle.launcher", "../trestle"))
                .toAbsolutePath()
                .toString();
        ProcessBuilder builder = new ProcessBuilder(
                        "sh",
                        "src/test/js/run-js.sh",
                        "target/js",
                        launcher,
                        "--engine",
                        "hbase",
                        "--hbase-quorum",
                        SharedCluster.quorum(),
                        "--hbase-namespace",
                        "javascript",
                        "--hbase-content-dir",
                        SharedCluster.contentFolder())
                .redirectErrorStream(true);
        builder.environment().put("TRESTLE_JAVA_OPTS", TrestleProcess.ONE_COMPILER);
        Process suite = builder.start();
        String said = new String(suite.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(suite.waitFor()).as(said).isZero();
    }
}
