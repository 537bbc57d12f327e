package dev.trestle.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

/** Runs a suite in {@code src/test/js} against a separate server with an empty container. */
final class NpmSuite {
    private static final String CONTAINER = "suite";

    private NpmSuite() {}

    static void run(String name) {
        try (Server server = Server.start(name)) {
            server.createContainer(CONTAINER);
            Path packages = Path.of("target", "js").toAbsolutePath();
            String printed = Program.installed(
                            "sh", "the Debian package dash", Path.of("").toAbsolutePath())
                    // npm has its registry, proxy and cache from there.
                    .withEnvironmentOfTheBuild()
                    .with("TRESTLE_BLOB_ENDPOINT", server.blobEndpoint(Server.ACCOUNT))
                    .with("TRESTLE_ACCOUNT", Server.ACCOUNT)
                    .with("TRESTLE_KEY", Server.KEY)
                    .with("TRESTLE_CONTAINER", CONTAINER)
                    .run("src/test/js/run-suite.sh", packages.toString(), name + ".test.mjs");
            // A file without tests would succeed as well.
            assertThat(printed).containsPattern("\\btests [1-9]").contains("skipped 0", "todo 0");
        }
    }
}
